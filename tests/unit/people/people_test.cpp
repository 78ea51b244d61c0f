// People in a scene of upright boxes: masks and floor map are made from where they stand.
#include "core/people/people.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/image/picture.h"
#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

struct Pillar {
  double x_m, y_m, height_m, radius_m = 0.17;
  double from_m = 0;  // nothing of it below is in the masks
};

// Cameras high enough that people hide each other only in part.
struct Scene {
  VoxelGrid grid{{-2, -2, 0}, 0.05, 80, 80, 44};
  std::vector<PinholeCamera<double>> cameras;
  std::vector<Image> masks;
  std::vector<uint16_t> columns = std::vector<uint16_t>(80 * 80), tops = columns;

  explicit Scene(const std::vector<Pillar>& pillars) {
    test::RingOptions ring;
    ring.cameras = 4, ring.width_px = 320, ring.height_px = 240;
    ring.radius_m = 6, ring.height_m = 3, ring.look_at_height_m = 0.8;
    ring.distorted = false;
    cameras = models_of(test::camera_ring(ring));
    for (const PinholeCamera<double>& camera : cameras) masks.push_back(draw(camera, pillars));
    for (const Pillar& pillar : pillars) stand(pillar);
  }

  static Image draw(const PinholeCamera<double>& camera, const std::vector<Pillar>& pillars) {
    Image mask = Image::make(ImageType::u8, camera.width_px, camera.height_px, HostPool::shared()).value();
    const ImageView<uint8_t> view = mask.writable_view<uint8_t>();
    for (int y = 0; y < view.height; ++y) std::fill_n(view.row(y), view.width, uint8_t{0});
    for (const Pillar& p : pillars)
      for (double z = p.from_m; z < p.height_m; z += 0.01)
        for (double a = 0; a < 6.28; a += 0.05) {
          const auto pixel = [&](double r) {
            return project(camera, p.x_m + r * std::cos(a), p.y_m + r * std::sin(a), z);
          };
          for (double r = 0; r <= p.radius_m; r += 0.015) {
            const Pixel<double> at = pixel(r);
            const int x = static_cast<int>(std::lround(at.x)), y = static_cast<int>(std::lround(at.y));
            if (at.in_front && x >= 0 && y >= 0 && x < view.width && y < view.height) view.at(x, y) = 255;
          }
        }
    return mask;
  }

  void stand(const Pillar& p) {
    const auto layers = static_cast<uint16_t>(std::lround(p.height_m / grid.voxel_size_m));
    for (int y = 0; y < grid.ny; ++y)
      for (int x = 0; x < grid.nx; ++x) {
        if (std::hypot(grid.center(0, x) - p.x_m, grid.center(1, y) - p.y_m) > p.radius_m) continue;
        const auto cell = static_cast<size_t>(x + grid.nx * y);
        columns[cell] = static_cast<uint16_t>(layers - 3);  // from 0.15 m up
        tops[cell] = layers;
      }
  }

  PeopleFound find(const PeopleParameters& parameters = {}) const {
    std::vector<MaskSamples> samples;
    for (const Image& mask : masks)
      samples.push_back(mask ? sample_mask(mask.view<uint8_t>()) : MaskSamples());
    const size_t stride = 80 * sizeof(uint16_t);
    PeopleFinder finder(grid, cameras);
    finder.set_parameters(parameters);
    return finder.find({{columns.data(), 80, 80, stride}, {tops.data(), 80, 80, stride}}, samples);
  }
};

TEST(People, StandWhereTheyStandAndAreAsTallAsTheyAre) {
  const std::vector<Pillar> people = {{-1, -0.6, 1.6}, {0.1, 1.1, 1.85}, {1.2, 0.2, 1.75}};
  const PeopleFound found = Scene(people).find();
  ASSERT_EQ(found.people.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.people[i].x_m, people[i].x_m, 0.03);
    EXPECT_NEAR(found.people[i].y_m, people[i].y_m, 0.03);
    // Half a voxel; pillars end flat, so what a round head has above its level is too much.
    EXPECT_NEAR(found.people[i].height_m, people[i].height_m + 0.03, 0.026);
    EXPECT_EQ(found.people[i].cameras, 4);
    EXPECT_GT(found.people[i].confidence, 0.9);
  }
  EXPECT_EQ(found.peaks, 3);
  EXPECT_EQ(found.rejected.size(), 0u);
}

// Four people round the middle, each between it and a camera.
std::vector<Pillar> before_every_camera(double distance_m) {
  std::vector<Pillar> people;
  for (int c = 0; c < 4; ++c) {
    const double angle = test::kRingStart_rad + c * std::numbers::pi / 2;
    people.push_back({distance_m * std::cos(angle), distance_m * std::sin(angle), 1.75});
  }
  return people;
}

// And volume in the middle that none of them left: every mask shows foreground there, so only what the others
// explain tells that nobody stands there.
TEST(People, AGhostIsRejected) {
  Scene scene(before_every_camera(0.75));
  scene.stand({0, 0, 1.7, 0.14});
  const auto in_the_middle = [](const FoundPerson& person) {
    return std::hypot(person.x_m, person.y_m) < 0.3;
  };
  const PeopleFound found = scene.find();
  EXPECT_EQ(found.people.size(), 4u);
  EXPECT_EQ(std::count_if(found.people.begin(), found.people.end(), in_the_middle), 0);
  ASSERT_EQ(found.rejected.size(), 1u);
  EXPECT_TRUE(in_the_middle(found.rejected[0].peak));
  EXPECT_EQ(found.rejected[0].reason, RejectReason::ghost);
  EXPECT_GT(found.rejected[0].peak.confidence, 0.6) << "the masks alone would accept it";
  // The rule about own shares is what rejects it.
  PeopleParameters without_rule;
  without_rule.min_own = 0;
  const PeopleFound all = scene.find(without_rule);
  EXPECT_EQ(std::count_if(all.people.begin(), all.people.end(), in_the_middle), 1);
}

// Two cameras at right angles. Each sees one person whole and of the other head and chest; a ghost stands
// where the rays to the whole ones meet, explains most alone and leaves too little of one of them.
TEST(People, AGhostGivesWayToTwoWhomItHides) {
  const double c = 0.35 * std::cos(test::kRingStart_rad), s = 0.35 * std::sin(test::kRingStart_rad);
  const Pillar first = {-c + s, -s - c, 1.75}, second = {c - s, s + c, 1.75}, ghost = {c + s, s - c, 1.75};
  const auto head_and_chest = [](Pillar pillar) {
    pillar.from_m = 1.0;
    return pillar;
  };
  Scene scene({first, second});
  scene.stand(ghost);
  scene.cameras.resize(2);
  scene.masks = {Scene::draw(scene.cameras[0], {first, head_and_chest(second)}),
                 Scene::draw(scene.cameras[1], {head_and_chest(first), second})};
  const auto stands = [](const PeopleFound& found, const Pillar& pillar) {
    return std::any_of(found.people.begin(), found.people.end(), [&](const FoundPerson& person) {
      return std::hypot(person.x_m - pillar.x_m, person.y_m - pillar.y_m) < 0.25;
    });
  };
  const PeopleFound found = scene.find();
  EXPECT_EQ(found.people.size(), 2u);
  EXPECT_TRUE(stands(found, first) && stands(found, second));
  scene.masks = {Scene::draw(scene.cameras[0], {ghost}), Scene::draw(scene.cameras[1], {ghost})};
  EXPECT_TRUE(stands(scene.find(), ghost)) << "alone it is somebody";
}

TEST(People, TwoWhoStandCloseAreTwo) {
  const PeopleFound found = Scene({{-0.3, 0.1, 1.8}, {0.3, 0.1, 1.65}}).find();
  ASSERT_EQ(found.people.size(), 2u);
  EXPECT_NEAR(found.people[0].x_m, -0.3, 0.05);
  EXPECT_NEAR(found.people[1].x_m, 0.3, 0.05);
}

TEST(People, RejectedPeaksKeepTheirReason) {
  const auto only = [](const Pillar& pillar) {
    const PeopleFound found = Scene({pillar}).find();
    EXPECT_EQ(found.people.size(), 0u);
    return found.rejected.size() == 1 ? reject_reason_name(found.rejected[0].reason) : "not one peak";
  };
  EXPECT_EQ(only({0, 0, 0.8}), "too_low");
  EXPECT_EQ(only({0.025, 0.025, 1.7, 0.02}), "too_small");
  Scene empty_masks({{0, 0, 1.7}});
  for (size_t c = 0; c < 4; ++c) empty_masks.masks[c] = Scene::draw(empty_masks.cameras[c], {});
  const PeopleFound found = empty_masks.find();
  ASSERT_EQ(found.rejected.size(), 1u);
  EXPECT_EQ(found.rejected[0].reason, RejectReason::not_in_masks);
}

TEST(People, AMissingPictureIsNotEvidenceAgainstAnybody) {
  Scene scene({{0.2, -0.3, 1.7}});
  scene.masks[2] = {};
  const PeopleFound found = scene.find();
  ASSERT_EQ(found.people.size(), 1u);
  EXPECT_EQ(found.people[0].cameras, 3);
  for (Image& mask : scene.masks) mask = {};
  EXPECT_EQ(scene.find().people.size(), 0u);
}

// One camera sees somebody; before the others they look like the scene.
TEST(People, WhatIsUndecidedSpeaksNeitherForNorAgainst) {
  Scene scene({{0.2, -0.3, 1.75}});
  const auto others_show = [&](uint8_t level) {
    for (size_t c = 1; c < scene.masks.size(); ++c) {
      const ImageView<uint8_t> view = scene.masks[c].writable_view<uint8_t>();
      for (int y = 0; y < view.height; ++y) std::fill_n(view.row(y), view.width, level);
    }
  };
  others_show(0);
  const PeopleFound by_empty = scene.find();
  EXPECT_EQ(by_empty.people.size(), 0u) << "three cameras see the floor there";
  others_show(115);
  const PeopleFound found = scene.find();
  ASSERT_EQ(found.people.size(), 1u);
  // One camera tells the direction, the volume about how far.
  EXPECT_LT(std::hypot(found.people[0].x_m - 0.2, found.people[0].y_m + 0.3), 0.3);
  // Whoever no camera is sure of is not there, whatever volume stands.
  std::fill(scene.columns.begin(), scene.columns.end(), uint16_t{0});
  scene.stand({-0.9, 0.9, 1.75});
  EXPECT_EQ(scene.find().people.size(), 0u);
}

TEST(People, LittleVolumeIsEnoughWhereLittleIsDecided) {
  Scene scene({{0.2, -0.3, 1.75}});
  for (uint16_t& column : scene.columns) column = static_cast<uint16_t>(column / 8);
  EXPECT_EQ(scene.find().people.size(), 0u) << "all cameras see a whole body, and hardly any volume stands";
  for (size_t c = 1; c < scene.masks.size(); ++c) {
    const ImageView<uint8_t> view = scene.masks[c].writable_view<uint8_t>();
    for (int y = 0; y < view.height; ++y) std::fill_n(view.row(y), view.width, uint8_t{115});
  }
  EXPECT_EQ(scene.find().people.size(), 1u);
}

TEST(People, AnEmptyFloorHasNoPeaks) {
  const PeopleFound found = Scene({}).find();
  EXPECT_EQ(found.peaks, 0);
  EXPECT_EQ(found.largest_peak_l, 0);
}

}  // namespace
}  // namespace vantage
