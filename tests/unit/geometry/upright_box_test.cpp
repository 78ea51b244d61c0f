#include "core/geometry/upright_box.h"

#include <gtest/gtest.h>

#include <iostream>
#include <random>

namespace vantage {
namespace {

TEST(UprightBox, StandsWhereItIsPut) {
  const UprightBox box{{1, 2, 0.5}, {0.4, 0.6, 1.8}, 0};
  const auto corners = box.corners_in_world_m();
  EXPECT_EQ(corners[0], Eigen::Vector3d(0.8, 1.7, 0.5));
  EXPECT_EQ(corners[6], Eigen::Vector3d(1.2, 2.3, 2.3));
}

TEST(UprightBox, TurnsCounterClockwiseAsSeenFromAbove) {
  const UprightBox box{{1, 2, 0}, {2, 1, 1}, 90};
  EXPECT_LT((box.to_world_m({1, 0, 0}) - Eigen::Vector3d(1, 3, 0)).norm(), 1e-12) << "its x is the world's y";
}

TEST(UprightBox, EdgesHaveTheSizesAndMeetAtCorners) {
  const UprightBox box{{-1, 0.3, 0.2}, {0.4, 0.6, 1.8}, 33};
  const auto corners = box.corners_in_world_m();
  int degree[8] = {}, along[3] = {};
  for (const auto& [from, to] : kBoxEdges) {
    ++degree[from], ++degree[to];
    const double length = (corners[from] - corners[to]).norm();
    for (int axis = 0; axis < 3; ++axis) along[axis] += std::abs(length - box.size_m[axis]) < 1e-12;
  }
  for (const int count : degree) EXPECT_EQ(count, 3);
  for (const int count : along) EXPECT_EQ(count, 4);
}

TEST(UprightBox, OwnAxesAndBack) {
  constexpr unsigned kSeed = 7;
  std::cout << "seed " << kSeed << '\n';
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> any(-4, 4);
  for (int i = 0; i < 50; ++i) {
    const UprightBox box{{any(random), any(random), any(random)}, {1, 2, 3}, 90 * any(random)};
    const Eigen::Vector3d point(any(random), any(random), any(random));
    EXPECT_LT((box.to_own_m(box.to_world_m(point)) - point).norm(), 1e-12);
  }
}

TEST(UprightBox, SnapsToPointsAtItsCorners) {
  const UprightBox truth{{1, 2, 0.1}, {0.6, 0.4, 1.2}, 30};
  const auto corners = truth.corners_in_world_m();
  const UprightBox near{{1.1, 1.95, 0}, {0.6, 0.4, 1.2}, 22};
  const std::vector<Eigen::Vector3d> points = {corners[1], corners[2], corners[6]};
  const UprightBox found = snapped(near, points);
  EXPECT_LT((found.base_in_world_m - truth.base_in_world_m).norm(), 1e-9);
  EXPECT_NEAR(found.turn_degrees, 30, 1e-9);
  EXPECT_EQ(found.size_m, truth.size_m);
  EXPECT_EQ(nearest_corners(near, points), (std::vector<size_t>{1, 2, 6}));
}

TEST(UprightBox, OnePointMovesAndDoesNotTurnIt) {
  const UprightBox box{{1, 2, 0}, {0.6, 0.4, 1.2}, 15};
  const Eigen::Vector3d corner = box.corners_in_world_m()[4], shift(0.05, -0.02, 0.1);
  const std::vector<Eigen::Vector3d> points = {corner + shift};
  const UprightBox found = snapped(box, points);
  EXPECT_LT((found.base_in_world_m - box.base_in_world_m - shift).norm(), 1e-12);
  EXPECT_EQ(found.turn_degrees, 15);
  EXPECT_EQ(snapped(box, {}), box);
}

}  // namespace
}  // namespace vantage
