#include "core/foreground/scene_change.h"

#include <gtest/gtest.h>

#include "tests/unit/foreground/scene_footage.h"

namespace vantage {
namespace {

using namespace vantage::test;

constexpr double kBlocks = ((kSceneWidth + 1) / 2) * ((kSceneHeight + 1) / 2);
constexpr double kPlaceBlocks = 6 * 13;
constexpr int kPictures = 40;

using Things = std::vector<std::pair<BlockRectangle, Color>>;

// `things` by picture.
template <typename ThingsAt>
LearntScene scene_of(SceneFootage& footage, const ThingsAt& things, double gain = 1) {
  std::vector<SceneSample> samples;
  for (int i = 0; i < kPictures; ++i) samples.push_back({footage.picture(things(i), gain), i});
  return learn_scene(samples, StopSource()).value();
}

LearntScene empty_clip(SceneFootage& footage) {
  return scene_of(footage, [](int) { return Things{}; });
}

uint8_t thing_at(const SceneChange& change, int column, int row) {
  return change.things.view<uint8_t>().row(row)[column];
}

TEST(SceneChange, AChairThatWasPutThereIsScene) {
  SceneFootage footage;
  const LearntScene clip = empty_clip(footage);
  const LearntScene recording = scene_of(footage, [](int) { return Things{{kPlace, kChair}}; });
  const SceneChange change = find_scene_change(clip, recording).value();
  EXPECT_NEAR(change.share, kPlaceBlocks / kBlocks, 1e-9);
  EXPECT_EQ(thing_at(change, 12, 10), 255);
  EXPECT_EQ(thing_at(change, 9, 10), 0);
}

TEST(SceneChange, WhatWasTakenAwayIsFloor) {
  SceneFootage footage;
  const LearntScene clip = scene_of(footage, [](int) { return Things{{kPlace, kChair}}; });
  const SceneChange change = find_scene_change(clip, empty_clip(footage)).value();
  EXPECT_NEAR(change.share, kPlaceBlocks / kBlocks, 1e-9);
}

TEST(SceneChange, WhoSitsThereAllTheTimeAndMovesAHandIsNoScene) {
  SceneFootage footage;
  const LearntScene clip = empty_clip(footage);
  const BlockRectangle hand{16, 9, 18, 11}, lowered{16, 12, 18, 14};
  const LearntScene recording =
      scene_of(footage, [&](int i) { return Things{{kPlace, kCoat}, {i % 8 < 6 ? hand : lowered, kChair}}; });
  EXPECT_EQ(find_scene_change(clip, recording).value().share, 0);
}

TEST(SceneChange, AThingBesideSomebodyIsScene) {
  SceneFootage footage;
  const LearntScene clip = empty_clip(footage);
  const BlockRectangle person{24, 5, 29, 20};
  const LearntScene recording = scene_of(footage, [&](int i) {
    const BlockRectangle now{person.left + i % 2, person.top, person.right + i % 2, person.bottom};
    return Things{{kPlace, kChair}, {now, kCoat}};
  });
  const SceneChange change = find_scene_change(clip, recording).value();
  EXPECT_NEAR(change.share, kPlaceBlocks / kBlocks, 1e-9);
  EXPECT_EQ(thing_at(change, 26, 10), 0);
}

TEST(SceneChange, SmallRegionsStayAsTheClipShowsThem) {
  SceneFootage footage;
  const LearntScene clip = empty_clip(footage);
  const LearntScene recording =
      scene_of(footage, [](int) { return Things{{{10, 5, 17, 14}, kChair}}; });  // 63 blocks
  EXPECT_EQ(find_scene_change(clip, recording).value().share, 0);
}

TEST(SceneChange, AnotherLightIsNoThing) {
  SceneFootage footage;
  const LearntScene clip = empty_clip(footage);
  const LearntScene recording = scene_of(footage, [](int) { return Things{}; }, 0.7);
  EXPECT_EQ(find_scene_change(clip, recording).value().share, 0);
}

TEST(SceneChange, TheClipsPicturesThenShowTheThingInTheirLight) {
  SceneFootage footage;
  const LearntScene clip = empty_clip(footage);
  const LearntScene recording = scene_of(footage, [](int) { return Things{{kPlace, kChair}}; }, 0.7);
  const SceneChange change = find_scene_change(clip, recording).value();
  const Picture bare = footage.picture({});
  double luma = 0, chroma = 0;
  for (int i = 0; i < 2; ++i) {
    const Picture shown = with_change(bare, change, i).value();
    luma += shown.plane(0).row(20)[24] / 2.0, chroma += shown.plane(1).row(10)[12] / 2.0;
    EXPECT_EQ(shown.plane(0).row(2)[2], bare.plane(0).row(2)[2]);
    EXPECT_EQ(shown.plane(2).row(10)[9], bare.plane(2).row(10)[9]);
  }
  EXPECT_NEAR(luma, kChair.y, 3);
  EXPECT_NEAR(chroma, kChair.cb, 3);
}

TEST(SceneChange, ScenesOfOtherFormatsAreRefused) {
  SceneFootage footage;
  const LearntScene clip = empty_clip(footage);
  LearntScene other = empty_clip(footage);
  PictureFormat format = other.dark.format();
  format.range = ColorRange::full;
  other.dark = other.bright = Picture::make(format, HostPool::shared()).value();
  const auto change = find_scene_change(clip, other);
  ASSERT_FALSE(change);
  EXPECT_EQ(change.error().kind, ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace vantage
