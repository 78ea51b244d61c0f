// A second, independent projection in double: matrices and the formulas of the OpenCV manual ("Camera
// calibration and 3D reconstruction", detailed description), term by term. Slow and obvious; for tests.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <optional>

#include "core/geometry/projection.h"

namespace vantage::reference {

struct Projected {
  Eigen::Vector2d pixel;
  double depth_m = 0;
  double radius = 0;  // normalised, undistorted
};

inline Projected project_anywhere(const PinholeCamera<double>& c, const Eigen::Vector3d& point_in_world) {
  Eigen::Matrix3d rotation, intrinsics = Eigen::Matrix3d::Identity();
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      rotation(row, column) = c.rotation_cam_from_world[3 * row + column];
  const Eigen::Vector3d translation(c.translation_cam_from_world_m[0], c.translation_cam_from_world_m[1],
                                    c.translation_cam_from_world_m[2]);
  intrinsics(0, 0) = c.fx_px, intrinsics(1, 1) = c.fy_px, intrinsics(0, 2) = c.cx_px,
                intrinsics(1, 2) = c.cy_px;

  const Eigen::Vector3d in_camera = rotation * point_in_world + translation;
  const Eigen::Vector2d ideal = in_camera.hnormalized();
  const double r = ideal.norm(), x = ideal.x(), y = ideal.y();
  if (c.lens == LensModel::fisheye) {
    const double angle = std::atan(r);
    const double bent = angle + c.k1 * std::pow(angle, 3) + c.k2 * std::pow(angle, 5) +
                        c.k3 * std::pow(angle, 7) + c.k4 * std::pow(angle, 9);
    const Eigen::Vector2d seen = r > 0 ? Eigen::Vector2d(bent / r * ideal) : ideal;
    return {(intrinsics * seen.homogeneous()).hnormalized(), in_camera.z(), r};
  }
  // Of a polynomial lens k4 and what follows are 0, and the tilt does nothing.
  const double radial = (1 + c.k1 * std::pow(r, 2) + c.k2 * std::pow(r, 4) + c.k3 * std::pow(r, 6)) /
                        (1 + c.k4 * std::pow(r, 2) + c.k5 * std::pow(r, 4) + c.k6 * std::pow(r, 6));
  const Eigen::Vector2d tangential(2 * c.p1 * x * y + c.p2 * (r * r + 2 * x * x),
                                   c.p1 * (r * r + 2 * y * y) + 2 * c.p2 * x * y);
  const Eigen::Vector2d prism(c.s1 * std::pow(r, 2) + c.s2 * std::pow(r, 4),
                              c.s3 * std::pow(r, 2) + c.s4 * std::pow(r, 4));
  const Eigen::Vector3d seen = (radial * ideal + tangential + prism).homogeneous();
  const Eigen::Matrix3d turn = (Eigen::AngleAxisd(-c.tau_y, Eigen::Vector3d::UnitY()) *
                                Eigen::AngleAxisd(-c.tau_x, Eigen::Vector3d::UnitX()))
                                   .toRotationMatrix();
  Eigen::Matrix3d straight;
  straight << turn(2, 2), 0, -turn(0, 2), 0, turn(2, 2), -turn(1, 2), 0, 0, 1;
  return {(intrinsics * (straight * turn * seen)).hnormalized(), in_camera.z(), r};
}

// Empty behind the camera or beyond the radius where the lens model folds back.
inline std::optional<Eigen::Vector2d> project(const PinholeCamera<double>& c,
                                              const Eigen::Vector3d& point_in_world) {
  const Projected p = project_anywhere(c, point_in_world);
  if (p.depth_m <= 1e-6 || p.radius * p.radius > c.max_radius2) return std::nullopt;
  return p.pixel;
}

// The first radius at which the distorted radius stops growing, by walking along it; 1e15 when it grows up
// to 50.
inline double fold_radius(const PinholeCamera<double>& c) {
  const auto distorted = [&](double r) {
    return r * (1 + c.k1 * std::pow(r, 2) + c.k2 * std::pow(r, 4) + c.k3 * std::pow(r, 6));
  };
  constexpr double kStep = 1e-4;
  for (double r = kStep; r < 50; r += kStep)
    if (distorted(r + kStep) <= distorted(r)) return r;
  return 1e15;
}

}  // namespace vantage::reference
