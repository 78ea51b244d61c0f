// The gauge of a world, which no picture shows: its origin, axes and scale.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/geometry/camera.h"

namespace vantage {

// Change of a camera (six values: rotation about its own axes, shift of the centre) with its world: by a
// small rotation about a point, a shift, and a stretch from there, in this order. `arm_m`: from the point to
// the camera's centre.
inline constexpr int kWorldChanges = 7;
using WorldEffect = Eigen::Matrix<double, 6, kWorldChanges>;
WorldEffect effect_of_world(const Eigen::Matrix3d& rotation_cam_from_world, const Eigen::Vector3d& arm_m);

Eigen::Vector3d middle_of_centers_m(const std::vector<Camera>& cameras);

// Small changes of all cameras (six values each, as above), less the change of the world that brings their
// centres nearest to where they were: a square matrix. At least three cameras, not on one line.
Eigen::MatrixXd without_gauge_freedom(const std::vector<Camera>& cameras);

}  // namespace vantage
