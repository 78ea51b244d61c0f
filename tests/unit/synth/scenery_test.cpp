// What changes in rendered footage and is nobody.
#include "core/synth/detail/scenery.h"

#include <gtest/gtest.h>

#include "core/synth/detail/renderer.h"
#include "core/synth/detail/truth.h"

namespace vantage::synth {
namespace {

SynthOptions scenery_options() {
  SynthOptions options;
  options.seconds = 4, options.people = 2;
  options.width_px = 320, options.height_px = 240;
  return options;
}

// The share of luma samples that two pictures do not have in common, beside the sensor's noise.
double changed_share(const Picture& a, const Picture& b) {
  const ImageView<const uint8_t> first = a.plane(0), second = b.plane(0);
  int changed = 0;
  for (int y = 0; y < first.height; ++y)
    for (int x = 0; x < first.width; ++x) changed += std::abs(first.at(x, y) - second.at(x, y)) > 15;
  return static_cast<double>(changed) / (static_cast<double>(first.width) * first.height);
}

TEST(Scenery, ChangesTheEmptyClipAndIsNobody) {
  SynthOptions plain = scenery_options(), with = plain;
  with.bushes = 4, with.screens = 2;
  const auto bare = make_scene(plain), scene = make_scene(with);
  ASSERT_TRUE(bare && scene);
  auto empty_room = Renderer::make(*bare, 0), renderer = Renderer::make(*scene, 0);
  ASSERT_TRUE(empty_room && renderer);
  EXPECT_LT(changed_share(*empty_room->render_empty(0), *empty_room->render_empty(20)), 0.001);
  EXPECT_GT(changed_share(*renderer->render_empty(0), *renderer->render_empty(20)), 0.01);

  // People are where they were without it; pixels of leaves before them are nobody's.
  PixelTruth alone(renderer->view()), truth(renderer->view());
  alone.draw(pose_people(*scene, 1));
  truth.draw(pose_all(*scene, 1), scene->looks.size());
  ASSERT_EQ(truth.appearances().size(), 2U);
  const Image without = *alone.mask(), mask = *truth.mask(), persons = *truth.persons();
  int64_t people = 0, hidden = 0;
  for (int y = 0; y < 240; ++y)
    for (int x = 0; x < 320; ++x) {
      const bool person = mask.view<uint8_t>().at(x, y) != 0;
      EXPECT_EQ(person, persons.view<uint8_t>().at(x, y) != 0);
      EXPECT_TRUE(!person || without.view<uint8_t>().at(x, y) != 0);
      people += person;
      hidden += without.view<uint8_t>().at(x, y) != 0 && !person;
    }
  EXPECT_GT(people, 200);
  EXPECT_EQ(people + hidden, alone.appearances()[0].person.visible + alone.appearances()[1].person.visible);
}

TEST(Scenery, ChairsAreMovedOnce) {
  SynthOptions options = scenery_options();
  options.moved_chairs = 2;
  const Scenery scenery = Scenery::make(options, 100);
  const auto places = [&](double time_s) {
    std::vector<Eigen::Vector3d> all;
    for (const Body& body : scenery.pose(time_s)) all.push_back(body.parts.front().center_in_world_m);
    return all;
  };
  ASSERT_EQ(places(0).size(), 2U);
  EXPECT_EQ(places(-10), places(30));
  EXPECT_EQ(places(70), places(100));
  for (size_t i = 0; i < 2; ++i) EXPECT_GT((places(0)[i] - places(100)[i]).norm(), 1);
}

TEST(Scenery, TooMuchOfItIsRefused) {
  SynthOptions options = scenery_options();
  options.bushes = 9;
  const auto scene = make_scene(options);
  ASSERT_FALSE(scene);
  EXPECT_NE(scene.error().message().find("bushes"), std::string::npos) << scene.error().message();
}

}  // namespace
}  // namespace vantage::synth
