#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/image/picture.h"
#include "core/synth/detail/sporty.h"

namespace vantage::synth {
namespace {

TEST(SportyPeople, BendFarAndWearLittle) {
  Random random(3, 7);
  int bent = 0, bare = 0, peaked = 0, veiled = 0;
  constexpr int kPeople = 2000;
  for (int i = 0; i < kPeople; ++i) {
    PersonLook look;
    look.skin.color = {0.7f, 0.5f, 0.4f};
    look.shirt.color = {0.1f, 0.1f, 0.8f};
    Posture posture;
    veiled += do_sport(random, &look, &posture);
    EXPECT_LE(std::abs(posture.lean_left), 63.1 / 180 * std::numbers::pi);
    EXPECT_LE(posture.lean_forward, 52.0 / 180 * std::numbers::pi);
    bent += std::abs(posture.lean_left) > 0.5 || posture.lean_forward > 0.5;
    bare += (look.shirt.color == look.skin.color).all();
    peaked += look.headwear == Headwear::peaked_cap;
  }
  EXPECT_NEAR(bent, 0.55 * kPeople, 0.05 * kPeople);
  EXPECT_NEAR(bare, 0.6 * kPeople, 0.05 * kPeople);
  EXPECT_NEAR(peaked, 0.35 * kPeople, 0.05 * kPeople);
  EXPECT_NEAR(veiled, 0.35 * kPeople, 0.05 * kPeople);
}

TEST(SportyPeople, PeaksPointWhereTheyAreTurned) {
  PersonLook look;
  look.headwear = Headwear::cap;
  const size_t without = pose_body(look, {}).parts.size();
  look.headwear = Headwear::peaked_cap;
  for (const double turn : {0.0, 0.5 * std::numbers::pi, std::numbers::pi}) {
    look.peak_turn_left = turn;
    const Body body = pose_body(look, {});
    ASSERT_EQ(body.parts.size(), without + 1);
    const Ellipsoid& peak = body.parts.back();
    EXPECT_FALSE(peak.of_head);
    // A heading of 0 looks along x, with y to the left.
    const Eigen::Vector3d out = peak.center_in_world_m - body.head_center_in_world_m;
    EXPECT_GT(out.x() * std::cos(turn) + out.y() * std::sin(turn), 0.08) << turn;
  }
}

// Inside the box everything becomes coarse, above and beside it nothing changes.
TEST(SportyPeople, VeilsHideFacesOnly) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Image image = Image::make(ImageType::u8, 80, 60, HostPool::shared()).value();
    const ImageView<uint8_t> luma = image.writable_view<uint8_t>();
    const auto fresh = [](int x, int y) { return static_cast<uint8_t>((x + y) % 2 ? 200 : 40); };
    for (int y = 0; y < 60; ++y)
      for (int x = 0; x < 80; ++x) luma.at(x, y) = fresh(x, y);
    Random random(seed, 1);
    veil_face({30, 20, 50, 44}, random, luma);
    int hidden = 0;
    for (int y = 0; y < 60; ++y)
      for (int x = 0; x < 80; ++x) {
        if (x < 28 || x >= 52 || y < 24 || y >= 47)
          EXPECT_EQ(luma.at(x, y), fresh(x, y)) << seed << ": " << x << ' ' << y;
        else
          hidden += luma.at(x, y) != fresh(x, y);
      }
    EXPECT_GT(hidden, 150) << seed;
    veil_face({}, random, luma);                // out of the picture
    veil_face({70, 50, 95, 80}, random, luma);  // cut by its border
    veil_face({-30, -30, -5, -4}, random, luma);
  }
}

}  // namespace
}  // namespace vantage::synth
