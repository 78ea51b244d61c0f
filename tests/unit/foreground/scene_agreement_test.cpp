// Blocks that whoever stands before the scene hides in the same pictures choose the same surface.
#include "core/foreground/scene_agreement.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

constexpr int kRoomColumns = 8, kRoomRows = 6, kRoomPictures = 80;

// The pictures from `first` up to, not including, `last`.
ScenePictures from_to(int first, int last) {
  ScenePictures pictures = {};
  for (int i = first; i < last; ++i) pictures[i / 64] |= uint64_t{1} << (i % 64);
  return pictures;
}

// A floor that somebody hides from picture 0 to 45, block for block a picture later, and whose score leads by
// `lead`.
std::vector<SceneModes> floor_behind_somebody(float lead) {
  std::vector<SceneModes> blocks;
  for (int b = 0; b < kRoomColumns * kRoomRows; ++b) {
    const int gone = 45 + b % kRoomColumns;
    blocks.push_back({{from_to(gone, kRoomPictures), 1 + lead}, {from_to(0, gone), 1}});
  }
  return blocks;
}

bool shows_floor(const SceneModes& block) {
  return holds(block.chosen.shown, kRoomPictures - 1);
}

TEST(SceneAgreement, ABlockThatErredFollowsItsRegion) {
  std::vector<SceneModes> blocks = floor_behind_somebody(0.1f);
  for (const size_t erred : {size_t{9}, size_t{10}, size_t{18}, size_t{47}}) {
    std::swap(blocks[erred].chosen.score, blocks[erred].other.score);
    std::swap(blocks[erred].chosen, blocks[erred].other);
  }
  ASSERT_TRUE(choose_by_agreement(blocks, kRoomColumns, StopSource()));
  for (size_t b = 0; b < blocks.size(); ++b) EXPECT_TRUE(shows_floor(blocks[b])) << b;
}

TEST(SceneAgreement, ARegionAtOddsWithItselfChangesNothing) {
  std::vector<SceneModes> blocks = floor_behind_somebody(0.1f);
  for (size_t b = 0; b < blocks.size() / 2 - 4; ++b) {
    std::swap(blocks[b].chosen.score, blocks[b].other.score);
    std::swap(blocks[b].chosen, blocks[b].other);
  }
  const std::vector<SceneModes> before = blocks;
  ASSERT_TRUE(choose_by_agreement(blocks, kRoomColumns, StopSource()));
  for (size_t b = 0; b < blocks.size(); ++b) EXPECT_EQ(shows_floor(blocks[b]), shows_floor(before[b])) << b;
}

TEST(SceneAgreement, RegionsThatNothingJoinsDecideForThemselves) {
  std::vector<SceneModes> blocks = floor_behind_somebody(0.1f);
  // In the lower rows something else happened at other times: it was there last, and its own scores lead.
  for (size_t b = size_t{3} * kRoomColumns; b < blocks.size(); ++b)
    blocks[b] = {{from_to(0, 8), 1.2f}, {from_to(8, kRoomPictures), 1}};
  ASSERT_TRUE(choose_by_agreement(blocks, kRoomColumns, StopSource()));
  EXPECT_TRUE(shows_floor(blocks[0]));
  EXPECT_TRUE(holds(blocks.back().chosen.shown, 0));
}

TEST(SceneAgreement, ABlockOfOneSurfaceKeepsIt) {
  std::vector<SceneModes> blocks = floor_behind_somebody(0.1f);
  blocks[12] = {{from_to(0, kRoomPictures), 2}, {}};
  ASSERT_TRUE(choose_by_agreement(blocks, kRoomColumns, StopSource()));
  EXPECT_EQ(blocks[12].chosen.shown, from_to(0, kRoomPictures));
}

TEST(SceneAgreement, StopsWhenItIsToldTo) {
  std::vector<SceneModes> blocks = floor_behind_somebody(0.1f);
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(choose_by_agreement(blocks, kRoomColumns, stop).error().kind, ErrorKind::cancelled);
}

}  // namespace
}  // namespace vantage
