// A camera's pose from points whose place is known, without a guess, by OpenCV's SQPNP.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <span>

namespace vantage {

// seen: where they are seen, in normalised undistorted coordinates. Nothing where fewer than four are given
// or they do not place the camera.
std::optional<Eigen::Isometry3d> pose_of_points(std::span<const Eigen::Vector3d> points_in_world_m,
                                                std::span<const Eigen::Vector2d> seen);

}  // namespace vantage
