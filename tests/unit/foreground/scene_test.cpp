#include "core/foreground/scene.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/algorithms.h"
#include "core/foreground/foreground.h"
#include "tests/unit/foreground/scene_footage.h"

namespace vantage {
namespace {

using namespace vantage::test;

LearntScene learnt(const std::vector<SceneSample>& samples) {
  return learn_scene(samples, StopSource()).value();
}

// Of a block's first sample.
Color color_of(const LearntScene& scene, int column, int row) {
  const auto mean = [&](int plane, int x, int y) {
    return (scene.dark.plane(plane).row(y)[x] + scene.bright.plane(plane).row(y)[x]) / 2;
  };
  return {mean(0, 2 * column, 2 * row), mean(1, column, row), mean(2, column, row)};
}

// The largest difference from the bare floor, over all blocks.
int farthest_from_floor(const LearntScene& scene) {
  int farthest = 0;
  for (int row = 0; row < (kSceneHeight + 1) / 2; ++row)
    for (int column = 0; column < (kSceneWidth + 1) / 2; ++column) {
      const Color color = color_of(scene, column, row);
      const int y = kFloor.y + 25 * ((column / 4 + row / 4) % 2);
      farthest = std::max(
          {farthest, std::abs(color.y - y), std::abs(color.cb - kFloor.cb), std::abs(color.cr - kFloor.cr)});
    }
  return farthest;
}

TEST(Scene, WhoStandsThereAtTheStartIsNoScene) {
  SceneFootage footage;
  std::vector<SceneSample> samples;
  for (int i = 0; i < 40; ++i)
    samples.push_back({i < 14 ? footage.picture({{kPlace, kCoat}}) : footage.picture({}), 25 * i});
  const LearntScene scene = learnt(samples);
  EXPECT_EQ(scene.pictures, 40);
  EXPECT_LE(farthest_from_floor(scene), 3);
  EXPECT_NEAR(scene.seen.view<uint8_t>().row(10)[12], 255 * 26 / 40, 4);
  EXPECT_GE(scene.seen.view<uint8_t>().row(2)[2], 250);
}

TEST(Scene, WhoStandsForMostOfTheTimeIsNoSceneWhereTheFloorIsSeenBeforeAndAfter) {
  SceneFootage footage;
  std::vector<SceneSample> samples;
  for (int i = 0; i < 60; ++i)
    samples.push_back({i >= 12 && i < 48 ? footage.picture({{kPlace, kCoat}}) : footage.picture({}), i});
  EXPECT_LE(farthest_from_floor(learnt(samples)), 3);
}

TEST(Scene, AMovedChairIsWhereItStoodLonger) {
  SceneFootage footage;
  const BlockRectangle elsewhere{22, 5, 28, 18};
  std::vector<SceneSample> samples;
  for (int i = 0; i < 50; ++i)
    samples.push_back({footage.picture({{i < 15 ? kPlace : elsewhere, kChair}}), i});
  const LearntScene scene = learnt(samples);
  EXPECT_NEAR(color_of(scene, 12, 10).cb, kFloor.cb, 3);
  EXPECT_NEAR(color_of(scene, 24, 10).cb, kChair.cb, 3);
}

TEST(Scene, PicturesBeforeAJumpOfExposureShowTheSameScene) {
  SceneFootage footage;
  std::vector<SceneSample> samples;
  for (int i = 0; i < 40; ++i) {
    std::vector<std::pair<BlockRectangle, Color>> people;
    if (i >= 12) people = {{kPlace, kCoat}};
    samples.push_back({footage.picture(people, i < 16 ? 1.4 : 1), i});
  }
  const LearntScene scene = learnt(samples);
  EXPECT_NEAR(scene.light[3], 1.4, 0.03);
  EXPECT_NEAR(scene.light[30], 1, 0.02);
  // The floor away from the person: every picture counts, and its noise is not that of the jump.
  EXPECT_GE(scene.seen.view<uint8_t>().row(2)[2], 250);
  EXPECT_LE(scene.bright.plane(0).row(4)[4] - scene.dark.plane(0).row(4)[4], 8);
}

TEST(Scene, AModelThatLearnsBothPicturesHasTheMeanAndFindsWhoStands) {
  SceneFootage footage;
  std::vector<SceneSample> samples;
  for (int i = 0; i < 40; ++i)
    samples.push_back({i < 14 ? footage.picture({{kPlace, kCoat}}) : footage.picture({}), i});
  const LearntScene scene = learnt(samples);
  BackendRegistry registry;
  register_foreground_cpu(registry);
  const auto model = registry.create<ForegroundModel>(Device::cpu, BackendContext{}, {0}).value();
  ASSERT_TRUE(model->learn(scene.dark, -1));
  ASSERT_TRUE(model->learn(scene.bright, -1));
  const ForegroundImages with = model->apply(footage.picture({{kPlace, kCoat}}), 0).value();
  const int64_t place_px = int64_t{4} * (kPlace.right - kPlace.left) * (kPlace.bottom - kPlace.top);
  EXPECT_NEAR(static_cast<double>(with.mask_count.get().value()), static_cast<double>(place_px),
              0.1 * place_px);
  EXPECT_EQ(model->apply(footage.picture({}), 1).value().mask_count.get().value(), 0);
}

TEST(Scene, IsTheSameEachTime) {
  SceneFootage footage;
  std::vector<SceneSample> samples;
  for (int i = 0; i < 20; ++i) samples.push_back({footage.picture({{kPlace, i < 9 ? kCoat : kChair}}), i});
  const LearntScene first = learnt(samples), second = learnt(samples);
  for (int plane = 0; plane < 3; ++plane)
    for (int y = 0; y < first.dark.plane(plane).height; ++y)
      for (int x = 0; x < first.dark.plane(plane).width; ++x)
        ASSERT_EQ(first.dark.plane(plane).row(y)[x], second.dark.plane(plane).row(y)[x]);
}

TEST(Scene, TooFewPicturesOrOthersAreAnError) {
  SceneFootage footage;
  std::vector<SceneSample> samples;
  for (int i = 0; i < kMinScenePictures - 1; ++i) samples.push_back({footage.picture({}), i});
  EXPECT_EQ(learn_scene(samples, StopSource()).error().kind, ErrorKind::invalid_argument);
  PictureFormat other;
  other.width = 32, other.height = 32;
  samples.push_back({Picture::make(other, HostPool::shared()).value(), 99});
  EXPECT_EQ(learn_scene(samples, StopSource()).error().kind, ErrorKind::invalid_argument);
}

TEST(Scene, AStopEndsIt) {
  SceneFootage footage;
  std::vector<SceneSample> samples;
  for (int i = 0; i < 12; ++i) samples.push_back({footage.picture({}), i});
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(learn_scene(samples, stop).error().kind, ErrorKind::cancelled);
}

}  // namespace
}  // namespace vantage
