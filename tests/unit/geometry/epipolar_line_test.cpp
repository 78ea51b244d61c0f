#include "core/geometry/epipolar_line.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace vantage {
namespace {

// Looks along the world's x axis from the given position, its lens with distortion.
Camera camera_at(const Eigen::Vector3d& center, double turn) {
  PinholeCamera<double> model;
  model.width_px = 640, model.height_px = 480, model.fx_px = model.fy_px = 400;
  model.cx_px = 319, model.cy_px = 241, model.k1 = -0.2, model.k2 = 0.04;
  const Eigen::Vector3d ahead(std::cos(turn), std::sin(turn), 0), right(std::sin(turn), -std::cos(turn), 0);
  Eigen::Matrix3d rotation;
  rotation.row(0) = right, rotation.row(1) = -Eigen::Vector3d::UnitZ(), rotation.row(2) = ahead;
  const Eigen::Vector3d shift = -rotation * center;
  for (int i = 0; i < 9; ++i) model.rotation_cam_from_world[i] = rotation(i / 3, i % 3);
  for (int i = 0; i < 3; ++i) model.translation_cam_from_world_m[i] = shift[i];
  return Camera::make("cam", model).value();
}

double distance_px(const std::vector<std::vector<Eigen::Vector2d>>& runs, const Eigen::Vector2d& pixel) {
  double nearest = 1e9;
  for (const auto& run : runs)
    for (size_t i = 0; i + 1 < run.size(); ++i) {
      const Eigen::Vector2d along = run[i + 1] - run[i];
      const double share = std::clamp((pixel - run[i]).dot(along) / along.squaredNorm(), 0.0, 1.0);
      nearest = std::min(nearest, (run[i] + share * along - pixel).norm());
    }
  return nearest;
}

TEST(EpipolarLine, PassesThroughWhatThePixelShows) {
  const Camera from = camera_at({0, 0, 1}, 0.2), in = camera_at({0, -2, 1.5}, 0.6);
  for (const Eigen::Vector3d& point :
       {Eigen::Vector3d(3, 0.5, 0.8), Eigen::Vector3d(5, 1.5, 2), Eigen::Vector3d(9, 2, 0)}) {
    const auto pixel = from.project(point), there = in.project(point);
    ASSERT_TRUE(pixel && there && in.sees(point));
    EXPECT_LT(distance_px(epipolar_line(from, *pixel, in), *there), 0.05);
  }
}

TEST(EpipolarLine, IsNoneWhereTheOtherCameraLooksAway) {
  EXPECT_TRUE(epipolar_line(camera_at({0, 0, 1}, 0), {320, 240}, camera_at({-1, 0, 1}, M_PI)).empty());
}

}  // namespace
}  // namespace vantage
