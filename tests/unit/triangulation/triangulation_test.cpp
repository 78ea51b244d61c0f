#include "core/people/triangulation/triangulation.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

// A room's worth of cameras that look at heads.
std::vector<Camera> room(int cameras) {
  return test::camera_ring({.cameras = cameras,
                            .width_px = 1280,
                            .height_px = 960,
                            .radius_m = 5,
                            .height_m = 3,
                            .look_at_height_m = 1.4});
}

std::vector<PointInView> seen_by_all(const std::vector<Camera>& cameras, const Eigen::Vector3d& point) {
  std::vector<PointInView> points;
  for (size_t c = 0; c < cameras.size(); ++c)
    if (const auto pixel = cameras[c].project(point))
      points.push_back({static_cast<int>(c), pixel->x(), pixel->y(), 1});
  return points;
}

TEST(Triangulation, APointSeenByAllIsFoundWhereItIs) {
  const std::vector<Camera> cameras = room(4);
  const Eigen::Vector3d truth(0.3, -0.4, 1.7);
  const std::vector<PointInView> points = seen_by_all(cameras, truth);
  ASSERT_EQ(points.size(), 4u);
  const auto found = triangulate(cameras, points, {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT((found[0].point_in_world_m - truth).norm(), 1e-6);
  EXPECT_EQ(found[0].points.size(), 4u);
  EXPECT_LT(found[0].distance_m, 1e-6);
}

TEST(Triangulation, SeveralHeadsWithNoiseMissesAndClutterAreToldApart) {
  const std::vector<Camera> cameras = room(5);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    std::normal_distribution<double> noise(0, 1.0);
    std::vector<Eigen::Vector3d> heads;
    while (heads.size() < 6) {
      const Eigen::Vector3d head(3 * unit(random) - 1.5, 3 * unit(random) - 1.5, 1.5 + 0.4 * unit(random));
      bool apart = true;
      for (const Eigen::Vector3d& other : heads) apart = apart && (head - other).norm() > 0.5;
      if (apart) heads.push_back(head);
    }
    std::vector<PointInView> points;
    std::vector<Eigen::Vector3d> seen_often;
    for (const Eigen::Vector3d& head : heads) {
      const size_t before = points.size();
      for (const PointInView& point : seen_by_all(cameras, head))
        if (unit(random) > 0.15)
          points.push_back({point.camera, point.x_px + noise(random), point.y_px + noise(random), 1});
      if (points.size() >= before + 3) seen_often.push_back(head);
    }
    for (int i = 0; i < 4; ++i)
      points.push_back({i, cameras[0].width_px() * unit(random), cameras[0].height_px() * unit(random), 1});
    std::shuffle(points.begin(), points.end(), random);
    TriangulationParameters parameters;
    parameters.min_views = 3;
    const auto found = triangulate(cameras, points, parameters);
    for (const Eigen::Vector3d& head : seen_often)
      EXPECT_TRUE(
          std::any_of(found.begin(), found.end(),
                      [&](const TriangulatedPoint& f) { return (f.point_in_world_m - head).norm() < 0.05; }))
          << "seed " << seed << ", head at " << head.transpose();
    EXPECT_LE(found.size(), 7u) << "seed " << seed;
  }
}

TEST(Triangulation, OneCameraOrParallelRaysGiveNothing) {
  const std::vector<Camera> cameras = room(3);
  const std::vector<PointInView> alone = {{1, 100, 100, 1}, {1, 110, 100, 1}};
  EXPECT_TRUE(triangulate(cameras, alone, {}).empty());
  const std::vector<Camera> twice = {cameras[0], cameras[0]};
  const std::vector<PointInView> parallel = {{0, 100, 100, 1}, {1, 100, 100, 1}};
  EXPECT_TRUE(triangulate(twice, parallel, {}).empty());
  EXPECT_TRUE(triangulate(cameras, {}, {}).empty());
}

// A ring's worth of views of a thing of so many metres.
std::vector<PointInView> sized(const std::vector<Camera>& cameras, const Eigen::Vector3d& point,
                               double size_m) {
  std::vector<PointInView> points = seen_by_all(cameras, point);
  for (PointInView& seen : points)
    seen.size = size_m / (point - cameras[seen.camera].center_in_world_m()).norm();
  return points;
}

TEST(Triangulation, ThingsOfOtherSizesAreNotJoined) {
  const std::vector<Camera> cameras = room(4);
  const Eigen::Vector3d truth(0.3, -0.4, 1.7);
  std::vector<PointInView> points = sized(cameras, truth, 0.24);
  const auto found = triangulate(cameras, points, {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].size_m, 0.24, 1e-6);
  EXPECT_NEAR(found[0].value, 4, 1e-6);
  points[2].size *= 2;
  const auto without = triangulate(cameras, points, {});
  ASSERT_EQ(without.size(), 1u);
  EXPECT_EQ(without[0].points.size(), 3u);
  EXPECT_NEAR(without[0].value, 3 - TriangulationParameters().unseen_penalty, 1e-6);
  TriangulationParameters larger;
  larger.min_size_m = 0.3;
  EXPECT_TRUE(triangulate(cameras, points, larger).empty());
}

TEST(Triangulation, OfTwoRaysInAViewTheOneWorthMoreIsTaken) {
  const std::vector<Camera> cameras = room(3);
  std::vector<PointInView> points = seen_by_all(cameras, {0, 0, 1.6});
  ASSERT_EQ(points.size(), 3u);
  PointInView strong = points[1];
  strong.x_px += 2;
  strong.weight = 5;
  points.push_back(strong);
  const auto found = triangulate(cameras, points, {});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].points, (std::vector<int>{0, 3, 2}));
}

// What lies within the outline of a thing that was chosen is that thing, and people do not stand above one
// another.
TEST(Triangulation, AThingIsFoundOnce) {
  const std::vector<Camera> cameras = room(4);
  const Eigen::Vector3d head(0.3, -0.4, 1.7), chin = head - Eigen::Vector3d(0, 0, 0.09),
                                              chest(0.35, -0.4, 1.3);
  std::vector<PointInView> points = sized(cameras, head, 0.24);
  for (const Eigen::Vector3d& part : {chin, chest})
    for (PointInView seen : sized(cameras, part, 0.24)) {
      seen.weight = 0.9;
      points.push_back(seen);
    }
  TriangulationParameters parameters;
  parameters.separation_m = 0.05;
  const auto apart = triangulate(cameras, points, parameters);
  ASSERT_EQ(apart.size(), 2u) << "the chin lies within the head's outline, the chest does not";
  EXPECT_LT((apart[0].point_in_world_m - head).norm(), 1e-6);
  EXPECT_LT((apart[1].point_in_world_m - chest).norm(), 1e-6);
  parameters.floor_separation_m = 0.35;
  EXPECT_EQ(triangulate(cameras, points, parameters).size(), 1u);
  // Nor does the chest's ray make a point with what another camera sees behind it.
  const Eigen::Vector3d eye = cameras[0].center_in_world_m(),
                        ghost = chest + 0.6 * (chest - eye).normalized();
  PointInView stray = sized(cameras, ghost, 0.24)[1];
  stray.weight = 0.5;
  points.push_back(stray);
  EXPECT_EQ(triangulate(cameras, points, parameters).size(), 1u);
}

}  // namespace
}  // namespace vantage
