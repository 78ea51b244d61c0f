#include "core/display/trails.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

FrameResult at(int64_t frame, std::vector<TrackedDetection> people, uint64_t version = 1) {
  FrameResult result;
  result.frame = frame;
  auto tracks = std::make_shared<TracksArtifact>();
  tracks->tracked = std::move(people);
  result.artifacts[std::string(kTrackingStage)] = std::move(tracks);
  result.versions[std::string(kTrackingStage)] = version;
  return result;
}

TEST(Trails, RunUpToTheFrameInWhateverOrderFramesCame) {
  TrailStore store;
  for (const int64_t frame : {7, 5, 6, 4, 8, 9})
    store.add(at(frame, {{3, 0.1 * static_cast<double>(frame), 0, 1.7}, {0, 1, 1, 1}}));
  const std::vector<Trail> trails = store.until(8, 4);
  ASSERT_EQ(trails.size(), 1u) << "who has no number yet has no trail";
  EXPECT_EQ(trails[0].id, 3);
  ASSERT_EQ(trails[0].floor_m.size(), 4u);
  EXPECT_DOUBLE_EQ(trails[0].floor_m.front().x(), 0.5);
  EXPECT_DOUBLE_EQ(trails[0].floor_m.back().x(), 0.8) << "what comes later is not shown";
}

TEST(Trails, LeaveOutWhatLiesBeforeALongGap) {
  TrailStore store;
  for (const int64_t frame : {1, 2, 9, 10, 12})
    store.add(at(frame, {{1, static_cast<double>(frame), 0, 1.7}}));
  EXPECT_EQ(store.until(12, 10).at(0).floor_m.size(), 3u);
  EXPECT_TRUE(store.until(40, 10).empty()) << "nobody known of late";
}

TEST(Trails, ForgetAnotherVersionAndPreviews) {
  TrailStore store;
  store.add(at(1, {{1, 0, 0, 1.7}}));
  store.add(at(2, {{1, 1, 0, 1.7}}));
  FrameResult preview = at(3, {{1, 9, 0, 1.7}}, 8);
  preview.preview = true;
  store.add(preview);
  EXPECT_EQ(store.until(3, 10).at(0).floor_m.size(), 2u);
  store.add(at(3, {{1, 2, 0, 1.7}}, 2));
  EXPECT_TRUE(store.until(3, 10).empty()) << "one point is no trail";
  store.add(FrameResult{});
  EXPECT_TRUE(store.until(3, 10).empty());
}

}  // namespace
}  // namespace vantage
