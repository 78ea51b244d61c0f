// Cameras on a circle round the origin, looking at it, with a lens as strong as that of a real wide-angle
// camera.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/geometry/camera.h"

namespace vantage::test {

struct RingOptions {
  int cameras = 4, width_px = 161, height_px = 121;
  double radius_m = 3.0, height_m = 1.5, look_at_height_m = 0.5;
  bool distorted = true;
  LensModel lens = LensModel::polynomial;  // where distorted
};

inline Camera ring_camera(const RingOptions& options, double angle) {
  const Eigen::Vector3d center(options.radius_m * std::cos(angle), options.radius_m * std::sin(angle),
                               options.height_m);
  const Eigen::Vector3d forward = (Eigen::Vector3d(0, 0, options.look_at_height_m) - center).normalized();
  const Eigen::Vector3d right = forward.cross(Eigen::Vector3d::UnitZ()).normalized();
  Eigen::Matrix3d rotation;
  rotation << right.transpose(), forward.cross(right).transpose(), forward.transpose();
  const Eigen::Vector3d translation = -rotation * center;
  PinholeCamera<double> model;
  model.width_px = options.width_px, model.height_px = options.height_px;
  model.fx_px = 0.77 * options.width_px, model.fy_px = 0.775 * options.width_px;
  model.cx_px = 0.51 * options.width_px, model.cy_px = 0.48 * options.height_px;
  if (options.distorted)
    model.k1 = -0.367, model.k2 = 0.205, model.p1 = -8.6e-4, model.p2 = 1.4e-4, model.k3 = -0.0725;
  if (options.distorted && options.lens == LensModel::fisheye)
    model.lens = options.lens, model.k1 = -0.04, model.k2 = 0.006, model.k3 = -0.002, model.k4 = 3e-4,
    model.p1 = model.p2 = 0;
  if (options.distorted && options.lens == LensModel::rational)
    model.lens = options.lens, model.k4 = 0.06, model.k5 = 0.04, model.k6 = 0.003, model.s1 = 2e-3,
    model.s2 = -1e-3, model.s3 = 1e-3, model.s4 = 4e-4, model.tau_x = 0.02, model.tau_y = -0.015;
  for (int row = 0; row < 3; ++row) {
    model.translation_cam_from_world_m[row] = translation[row];
    for (int column = 0; column < 3; ++column)
      model.rotation_cam_from_world[3 * row + column] = rotation(row, column);
  }
  return Camera::make("ring", model).value();
}

inline constexpr LensModel kLensModels[] = {LensModel::polynomial, LensModel::rational, LensModel::fisheye};

inline constexpr double kRingStart_rad = 0.3;  // where the first one stands

inline std::vector<Camera> camera_ring(const RingOptions& options) {
  std::vector<Camera> cameras;
  for (int c = 0; c < options.cameras; ++c)
    cameras.push_back(ring_camera(options, kRingStart_rad + 2 * std::numbers::pi * c / options.cameras));
  return cameras;
}

}  // namespace vantage::test
