#include "core/display/trails.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

FrameResult at(int64_t frame, std::vector<TrackedPerson> people, uint64_t version = 1) {
  FrameResult result;
  result.frame = frame;
  auto tracks = std::make_shared<TracksArtifact>();
  tracks->tracked = std::move(people);
  result.artifacts.tracking = std::move(tracks);
  result.versions[std::string(kTrackingStage)] = version;
  return result;
}

TEST(Trails, RunUpToTheFrameInWhateverOrderFramesCame) {
  TrailStore store;
  for (const int64_t frame : {7, 5, 6, 4, 8, 9})
    store.add(at(frame, {{3, 0.1 * static_cast<double>(frame), 0, 1.7}, {0, 1, 1, 1}}));
  const std::vector<Trail> trails = store.until(8, 4, 1);
  ASSERT_EQ(trails.size(), 1u) << "who has no number yet has no trail";
  EXPECT_EQ(trails[0].id, 3);
  ASSERT_EQ(trails[0].floor_m.size(), 4u);
  EXPECT_DOUBLE_EQ(trails[0].floor_m.front().x(), 0.5);
  EXPECT_DOUBLE_EQ(trails[0].floor_m.back().x(), 0.8) << "what comes later is not shown";
}

TEST(Trails, LeaveOutWhatLiesBeforeALongGap) {
  TrailStore store;
  for (int64_t frame = 0; frame < 13; ++frame) store.add(at(frame, {}));
  for (const int64_t frame : {1, 2, 9, 10, 12})
    store.add(at(frame, {{1, static_cast<double>(frame), 0, 1.7}}));
  EXPECT_EQ(store.until(12, 10, 1).at(0).floor_m.size(), 3u);
  EXPECT_TRUE(store.until(40, 10, 1).empty()) << "nobody known of late";
}

// Frames that were gone to one by one are no path, nor is what lies behind frames that nobody analysed.
TEST(Trails, DoNotCrossFramesThatWereNotAnalysed) {
  TrailStore store;
  for (const int64_t frame : {0, 25, 50, 75, 76, 79, 92, 93})
    store.add(at(frame, {{1, static_cast<double>(frame), 0, 1.7}}));
  EXPECT_TRUE(store.until(50, 100, 1).empty()) << "steps of a second";
  EXPECT_EQ(store.until(79, 100, 1).at(0).floor_m.size(), 3u) << "a few are missing";
  EXPECT_EQ(store.until(93, 100, 1).at(0).floor_m.size(), 2u);
  for (int64_t frame = 80; frame < 92; ++frame) store.add(at(frame, {}));
  EXPECT_EQ(store.until(93, 100, 1).at(0).floor_m.size(), 5u) << "analysed, and the person was lost";
}

TEST(Trails, ForgetAnotherVersionAndPreviews) {
  TrailStore store;
  store.add(at(1, {{1, 0, 0, 1.7}}));
  store.add(at(2, {{1, 1, 0, 1.7}}));
  FrameResult preview = at(3, {{1, 9, 0, 1.7}}, 8);
  preview.preview = true;
  store.add(preview);
  EXPECT_EQ(store.until(3, 10, 1).at(0).floor_m.size(), 2u);
  store.add(at(3, {{1, 2, 0, 1.7}}, 2));
  EXPECT_TRUE(store.until(3, 10, 2).empty()) << "one point is no trail";
  store.add(FrameResult{});
  EXPECT_TRUE(store.until(3, 10, 2).empty());
}

TEST(Trails, ComeFromResultsOnDiskWhereTheseKnowMore) {
  TrailStore store;
  PersonPath path{5, {}};
  for (int64_t frame = 0; frame < 10; ++frame)
    path.points.push_back({frame, static_cast<double>(frame), 1, 1.7, 1, true});
  store.set_stored({path}, 7);
  ASSERT_EQ(store.until(9, 4, 7).size(), 1u) << "nothing was analysed";
  EXPECT_EQ(store.until(9, 4, 7)[0].floor_m.size(), 4u);
  EXPECT_TRUE(store.until(9, 4, 8).empty()) << "they are of other parameters";
  // Numbered again by the run that stored them: the two are not joined.
  for (int64_t frame = 5; frame < 15; ++frame)
    store.add(at(frame, {{3, static_cast<double>(frame), 1, 1.7}}, 7));
  ASSERT_EQ(store.until(9, 4, 7).size(), 1u);
  EXPECT_EQ(store.until(9, 4, 7)[0].id, 5);
  EXPECT_EQ(store.until(12, 4, 7).at(0).id, 3) << "the results end at frame 9";
  EXPECT_TRUE(store.until(12, 2, 7, TrailStore::From::results).empty()) << "the chain's own are not mixed in";
  ASSERT_EQ(store.until(9, 4, 8, TrailStore::From::results).size(), 1u)
      << "current, though of another device";
}

}  // namespace
}  // namespace vantage
