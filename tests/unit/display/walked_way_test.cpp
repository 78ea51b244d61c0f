#include "core/display/trails.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vantage {
namespace {

double to_way_m(const Eigen::Vector2d& place_m, const std::vector<Eigen::Vector2d>& run) {
  double nearest_m = (place_m - run[0]).norm();
  for (size_t i = 0; i + 1 < run.size(); ++i) {
    const Eigen::Vector2d along = run[i + 1] - run[i];
    const double share =
        std::clamp((place_m - run[i]).dot(along) / std::max(along.squaredNorm(), 1e-12), 0.0, 1.0);
    nearest_m = std::min(nearest_m, (place_m - run[i] - share * along).norm());
  }
  return nearest_m;
}

PersonPath in_circles(int64_t frames, double radius_m) {
  PersonPath path{1, {}};
  for (int64_t frame = 0; frame < frames; ++frame) {
    const double angle = 0.01 * static_cast<double>(frame);
    path.points.push_back({frame, radius_m * std::cos(angle), radius_m * std::sin(angle), 1.7, 1, true});
  }
  return path;
}

TEST(WalkedPath, HasFewPointsAndLiesWhereThePersonWas) {
  const PersonPath path = in_circles(1500, 2);
  const auto way = walked_path(path);
  ASSERT_EQ(way.size(), 1u);
  EXPECT_LT(way[0].size(), 200u);
  for (const PathPoint& point : path.points)
    EXPECT_LE(to_way_m({point.x_m, point.y_m}, way[0]), kWayTolerance_m) << point.frame;
  EXPECT_EQ(way[0].front(), Eigen::Vector2d(2, 0));
  EXPECT_EQ(way[0].back(), Eigen::Vector2d(path.points.back().x_m, path.points.back().y_m));
}

TEST(WalkedPath, OfManyHoursHasFewerPointsFartherAway) {
  const PersonPath path = in_circles(300'000, 5);
  const auto way = walked_path(path);
  ASSERT_EQ(way.size(), 1u);
  EXPECT_LT(way[0].size(), 30'000u);
  for (int64_t frame = 0; frame < 300'000; frame += 1009) {
    const PathPoint point = path.points[frame];
    EXPECT_LE(to_way_m({point.x_m, point.y_m}, way[0]), kLongWayTolerance_m) << frame;
  }
}

TEST(WalkedPath, EndsAtGaps) {
  const auto at = [](int64_t frame, double x_m) { return PathPoint{frame, x_m, 0, 1.7, 1, true}; };
  const auto way = walked_path({1, {at(3, 0), at(4, 1), at(5, 2), at(9, 7), at(20, 8), at(21, 8)}});
  ASSERT_EQ(way.size(), 3u);
  EXPECT_EQ(way[0].size(), 2u) << "straight on";
  EXPECT_EQ(way[0].back().x(), 2);
  EXPECT_EQ(way[1].size(), 1u);
  EXPECT_EQ(way[2].size(), 2u);
  EXPECT_TRUE(walked_path({1, {}}).empty());
}

}  // namespace
}  // namespace vantage
