#include "core/tracking/paths/path_follower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <map>

#include "core/tracking/paths/path_worker.h"
#include "tests/support/seed.h"
#include "tests/support/walkers.h"

namespace vantage {
namespace {

constexpr double kFollowerRate = 25;

// What a follower tells, put together, and whether it keeps what it says.
class Collected {
 public:
  void take(const FinalPaths& settled) {
    EXPECT_GE(settled.end, end_);
    EXPECT_LE(settled.bridged_end, settled.end);
    for (const PersonPath& part : settled.parts)
      for (const PathPoint& point : part.points) {
        EXPECT_LT(point.frame, settled.end);
        EXPECT_GE(point.frame, bridged_end_) << "nothing is added before it";
        if (point.seen) {
          EXPECT_GE(point.frame, end_) << "those people had their numbers";
        }
        paths_[part.id].push_back(point);
      }
    end_ = settled.end, bridged_end_ = settled.bridged_end;
  }
  int64_t end() const { return end_; }
  // Frames of all people together.
  size_t seen_frames() const {
    size_t count = 0;
    for (const auto& [id, points] : paths_)
      count += static_cast<size_t>(
          std::count_if(points.begin(), points.end(), [](const PathPoint& point) { return point.seen; }));
    return count;
  }

  void expect_same(const std::vector<PersonPath>& paths) const {
    ASSERT_EQ(paths_.size(), paths.size());
    for (const PersonPath& path : paths) {
      const std::vector<PathPoint>& points = paths_.at(path.id);
      ASSERT_EQ(points.size(), path.points.size()) << "person " << path.id;
      for (size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(points[i].frame, path.points[i].frame);
        EXPECT_EQ(points[i].person, path.points[i].person);
        EXPECT_EQ(points[i].x_m, path.points[i].x_m);
      }
    }
  }

 private:
  int64_t end_ = INT64_MIN, bridged_end_ = INT64_MIN;
  std::map<int64_t, std::vector<PathPoint>> paths_;
};

PathParameters windows(PathMethod method, double window_s) {
  PathParameters p;
  p.method = method, p.window_s = window_s, p.overlap_s = window_s / 2;
  p.cell_m = 0.2;    // a small grid is enough here
  p.entry_cost = 2;  // people are there for longer than a short window, which has to be worth it
  return p;
}

class Following : public testing::TestWithParam<PathMethod> {};

// The same numbers as a recording gets, and each frame's when the one a window later is there.
TEST_P(Following, FrameByFrameComesOutAsAtOnce) {
  std::mt19937 random(test::test_seed());
  const std::vector<SeenFrame> seen = test::walkers({}, random);
  const PathParameters p = windows(GetParam(), 2);
  PathFollower follower = PathFollower::make(kFollowerRate, p).value();
  Collected collected;
  for (const SeenFrame& frame : seen) {
    const auto settled = follower.add(frame);
    ASSERT_TRUE(settled);
    collected.take(*settled);
    EXPECT_GT(collected.end(), frame.frame - seen.front().frame - 50) << "the stated latency";
    EXPECT_LE(collected.end(), std::max<int64_t>(frame.frame - 25, 0)) << "the overlap is decided again";
  }
  collected.take(follower.finish().value());
  EXPECT_EQ(collected.end(), seen.back().frame + 1);
  const auto whole = follow_paths(seen, kFollowerRate, p);
  ASSERT_TRUE(whole);
  EXPECT_GE(whole->size(), 12u);
  collected.expect_same(*whole);
}

TEST_P(Following, AGapLongerThanAllWindowsEndsEverybody) {
  PathFollower follower = PathFollower::make(kFollowerRate, windows(GetParam(), 2)).value();
  Collected collected;
  constexpr int64_t kThere = 20;  // frames
  for (const int64_t begin : {0, 5000})
    for (int64_t frame = begin; frame < begin + kThere; ++frame)
      collected.take(follower.add({frame, {{0, 1, 1, 1.7, 0.95}}, {}}).value());
  EXPECT_EQ(collected.end(), 4975) << "windows begin every 25 frames; the one from there is not full";
  collected.take(follower.finish().value());
  PersonPath before{1, {}}, after{2, {}};
  for (int i = 0; i < kThere; ++i) {
    before.points.push_back({i, 1, 1, 1.7, 0.95, true, 0});
    after.points.push_back({5000 + i, 1, 1, 1.7, 0.95, true, 0});
  }
  collected.expect_same({before, after});
}

INSTANTIATE_TEST_SUITE_P(Methods, Following, testing::Values(PathMethod::graph, PathMethod::grid),
                         [](const auto& info) { return info.param == PathMethod::graph ? "graph" : "grid"; });

// Somebody is expected between the first and the last sighting of a path, on its way, and nowhere else: whom
// that brings back never keeps a path alive.
TEST(PathFollower, NobodyIsExpectedBehindTheLastSighting) {
  const auto way_m = [](int64_t frame) { return 0.04 * static_cast<double>(frame); };
  for (const double window_s : {0.0, 1.0}) {
    SCOPED_TRACE(window_s);
    std::map<int64_t, size_t> expected_at;
    const FindAgain find_again = [&](std::span<const ExpectedPlace> expected, SeenFrame* frame) {
      expected_at[frame->frame] = expected.size();
      for (const ExpectedPlace& place : expected) {
        EXPECT_NEAR(place.x_m, way_m(frame->frame), 0.1);
        if (frame->people.empty()) frame->people.push_back({0, place.x_m, place.y_m, 1.7, 0.6});
      }
    };
    PathFollower follower =
        PathFollower::make(kFollowerRate, windows(PathMethod::motion, window_s), {}, find_again).value();
    Collected collected;
    for (int64_t f = 0; f < 140; ++f) {
      SeenFrame frame{f, {}, {}};
      const bool seen = f >= 20 && f < 101 && f % 3 != 1;
      if (seen) frame.people.push_back({0, way_m(f), 1, 1.7, 0.95});
      collected.take(follower.add(std::move(frame)).value());
    }
    collected.take(follower.finish().value());
    for (int64_t f = 0; f < 140; ++f) EXPECT_EQ(expected_at.at(f), f >= 20 && f < 100 ? 1U : 0U) << f;
    EXPECT_EQ(collected.seen_frames(), 80U) << "also the frames between";
  }
}

TEST(PathFollower, RefusesWhatIsNoOrderOfFrames) {
  EXPECT_FALSE(PathFollower::make(0, {}));
  PathFollower follower = PathFollower::make(kFollowerRate, {}).value();
  ASSERT_TRUE(follower.add({4, {}, {}}));
  EXPECT_FALSE(follower.add({4, {}, {}}));
}

TEST(PathWorker, OnAThreadOfItsOwnNothingChanges) {
  std::mt19937 random(test::test_seed());
  const std::vector<SeenFrame> seen = test::walkers({.frames = 1500}, random);
  const PathParameters p = windows(PathMethod::graph, 2);
  Collected collected;
  PathWorker worker(PathFollower::make(kFollowerRate, p).value(), QueuePolicy::block,
                    [&](const FinalPaths& settled) {
                      collected.take(settled);
                      return Status();
                    });
  for (const SeenFrame& frame : seen) ASSERT_TRUE(worker.add(frame));
  ASSERT_TRUE(worker.finish());
  EXPECT_EQ(worker.left_out(), 0);
  collected.expect_same(follow_paths(seen, kFollowerRate, p).value());
}

// Paths that stand still: whoever hands over goes on, and what waits stays bounded.
TEST(PathWorker, LiveInputIsLeftOutRatherThanWaitedFor) {
  std::mutex mutex;
  std::condition_variable go_on;
  bool may = false;
  int64_t end = 0;
  PathWorker worker(PathFollower::make(kFollowerRate, windows(PathMethod::graph, 2)).value(),
                    QueuePolicy::drop_oldest, [&](const FinalPaths& settled) {
                      std::unique_lock lock(mutex);
                      go_on.wait(lock, [&] { return may; });
                      end = settled.end;
                      return Status();
                    });
  const int64_t frames = 3 * static_cast<int64_t>(PathWorker::kMaxWaiting);
  for (int64_t frame = 0; frame < frames; ++frame) ASSERT_TRUE(worker.add({frame, {}, {}}));
  EXPECT_GE(worker.left_out(), frames - static_cast<int64_t>(PathWorker::kMaxWaiting) - 60);
  {
    const std::lock_guard lock(mutex);
    may = true;
  }
  go_on.notify_all();
  ASSERT_TRUE(worker.finish());
  EXPECT_EQ(end, frames) << "the newest is never left out";
}

TEST(PathWorker, TellsWhatEndedItAndEndsInTheMiddle) {
  const PathParameters p = windows(PathMethod::graph, 1);
  PathWorker failing(PathFollower::make(kFollowerRate, p).value(), QueuePolicy::block,
                     [](const FinalPaths&) { return Status(fail(ErrorKind::io, "the disk is full")); });
  Status added;
  for (int64_t frame = 0; frame < 100'000 && added; ++frame) added = failing.add({frame, {}, {}});
  EXPECT_FALSE(failing.finish());
  const PathWorker left(PathFollower::make(kFollowerRate, p).value(), QueuePolicy::block,
                        [](const FinalPaths&) { return Status(); });
}

}  // namespace
}  // namespace vantage
