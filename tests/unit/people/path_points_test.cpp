#include "core/people/path_points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/people/paths_by_frame.h"
#include "tests/support/seed.h"

namespace vantage {
namespace {

void expect_same(const PathPoint& a, const PathPoint& b) {
  EXPECT_EQ(a.frame, b.frame);
  const auto same = [](double x, double y) { return x == y && std::signbit(x) == std::signbit(y); };
  EXPECT_TRUE(same(a.x_m, b.x_m) && same(a.y_m, b.y_m)) << a.x_m << ", " << a.y_m;
  EXPECT_TRUE(same(a.height_m, b.height_m) && same(a.confidence, b.confidence)) << a.height_m;
  EXPECT_EQ(a.seen, b.seen);
  EXPECT_EQ(a.person, b.person);
}

TEST(PathPoints, PackWhatFilesHoldAndLoseNothing) {
  std::mt19937 random(test::test_seed());
  std::uniform_int_distribution<int> place(-1'000'000, 1'000'000), height(0, 25'000), share(0, 10'000);
  for (int i = 0; i < 20'000; ++i) {
    const PathPoint point{
        i,          place(random) / 1e4, place(random) / 1e4, height(random) / 1e4, share(random) / 1e4,
        i % 2 == 0, i % 100 - 1};
    const auto packed = PackedPoint::of(point);
    ASSERT_TRUE(packed);
    expect_same(packed->point(), point);
  }
  const PathPoint minus_zero{1, -0.0, 0.0, 1.7, 0, false, -1};
  ASSERT_TRUE(PackedPoint::of(minus_zero)) << "tracks.csv holds -0.0000";
  expect_same(PackedPoint::of(minus_zero)->point(), minus_zero);
  EXPECT_LE(sizeof(PackedPoint), 20u);
}

TEST(PathPoints, OthersDoNotFit) {
  const PathPoint fits{7, 1.5, -2.25, 1.7, 0.9, true, 3};
  ASSERT_TRUE(PackedPoint::of(fits));
  const auto with = [&](const auto& change) {
    PathPoint point = fits;
    change(point);
    return PackedPoint::of(point).has_value();
  };
  EXPECT_FALSE(with([](PathPoint& p) { p.x_m = 1.0 / 3; }));
  EXPECT_FALSE(with([](PathPoint& p) { p.y_m = std::nextafter(-2.25, 0); }));
  EXPECT_FALSE(with([](PathPoint& p) { p.x_m = 1e6; }));
  EXPECT_FALSE(with([](PathPoint& p) { p.x_m = std::numeric_limits<double>::quiet_NaN(); }));
  EXPECT_FALSE(with([](PathPoint& p) { p.height_m = 7; }));
  EXPECT_FALSE(with([](PathPoint& p) { p.height_m = -0.1; }));
  EXPECT_FALSE(with([](PathPoint& p) { p.confidence = 4; }));
  EXPECT_FALSE(with([](PathPoint& p) { p.frame = int64_t{1} << 31; }));
  EXPECT_FALSE(with([](PathPoint& p) { p.person = 40'000; }));
}

// Frames 10, 11, 14, 15; the third point does not fit.
PathPoints some_points(double third_m) {
  return {{10, 0.1, 0, 1.7, 0.9, true, 0},
          {11, 0.2, 0, 1.7, 0.9, true, 1},
          {14, third_m, 0, 1.7, 0.9, false},
          {15, 0.4, 0, 1.7, 0.9, true, 2}};
}

TEST(PathPoints, AreFoundByFrame) {
  for (const double third_m : {0.3, 1.0 / 3}) {
    const PathPoints points = some_points(third_m);
    ASSERT_EQ(points.size(), 4u);
    EXPECT_EQ(points.find(14)->x_m, third_m);
    EXPECT_EQ(points[1].x_m, 0.2) << "packed or not";
    EXPECT_FALSE(points.find(9) || points.find(12) || points.find(16));
    EXPECT_EQ(points.first_from(INT64_MIN), 0u);
    EXPECT_EQ(points.first_from(11), 1u);
    EXPECT_EQ(points.first_from(12), 2u);
    EXPECT_EQ(points.first_from(INT64_MAX), 4u);
    EXPECT_EQ(points.end() - points.begin(), 4);
    EXPECT_EQ((points.begin() + 3)->person, 2);
  }
  EXPECT_FALSE(PathPoints().find(0));
  EXPECT_EQ(PathPoints().first_from(0), 0u);
}

TEST(PathPoints, CopiesChangeAlone) {
  const PathPoints before = some_points(0.3);
  PathPoints changed = before, longer = before, cut = before;
  PathPoint point = changed[0];
  point.x_m = 1.0 / 7;
  changed.set(0, point);
  longer.push_back({20, 5, 5, 1.7, 0.9, true});
  cut.keep(1, 3);
  EXPECT_EQ(before.size(), 4u);
  EXPECT_EQ(before[0].x_m, 0.1);
  EXPECT_EQ(changed[0].x_m, 1.0 / 7);
  EXPECT_EQ(changed[3].x_m, 0.4);
  EXPECT_EQ(longer.size(), 5u);
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_EQ(cut.frame(0), 11);
  EXPECT_EQ(cut.back().frame, 14);
}

TEST(PathsByFrame, HoldEverybodyWhoIsThere) {
  std::mt19937 random(test::test_seed());
  std::uniform_int_distribution<int64_t> begin(1'000, 90'000), length(1, 3'000);
  std::vector<PersonPath> paths;
  for (int64_t id = 1; id <= 300; ++id) {
    PersonPath& path = paths.emplace_back(PersonPath{id, {}});
    const int64_t first = begin(random), end = first + length(random);
    for (int64_t frame = first; frame < end; frame += 1 + id % 3)
      path.points.push_back({frame, 0, 0, 1.7, 1, true});
  }
  paths.push_back({301, {}});
  const PathsByFrame by_frame(paths);
  for (int64_t frame = 900; frame < 94'000; frame += 37) {
    const auto near = by_frame.near(frame);
    EXPECT_TRUE(std::is_sorted(near.begin(), near.end()));
    EXPECT_LT(near.size(), 60u) << "few others";
    const std::vector<uint32_t> around = by_frame.near(frame - 50, frame);
    EXPECT_TRUE(std::is_sorted(around.begin(), around.end()));
    for (uint32_t i = 0; i < paths.size(); ++i) {
      const PathPoints& points = paths[i].points;
      if (points.find(frame)) {
        EXPECT_NE(std::find(near.begin(), near.end(), i), near.end()) << frame << ", path " << i;
      }
      if (points.first_from(frame - 50) != points.first_from(frame + 1)) {
        EXPECT_NE(std::find(around.begin(), around.end(), i), around.end()) << frame << ", path " << i;
      }
    }
  }
  EXPECT_TRUE(by_frame.near(INT64_MIN).empty() && by_frame.near(INT64_MAX).empty());
  EXPECT_TRUE(PathsByFrame().near(0).empty() && PathsByFrame().near(0, 9).empty());
}

}  // namespace
}  // namespace vantage
