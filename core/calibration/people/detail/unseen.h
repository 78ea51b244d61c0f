// What no picture shows of a world: its scale, where its origin is and which way its axes point.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/geometry/camera.h"

namespace vantage::people_calibration_detail {

// How a camera changes (six values: rotation about its own axes, shift of the centre) with its world: by a
// small rotation about `middle_m`, a shift, and a stretch from there, in this order.
inline constexpr int kWorldChanges = 7;
Eigen::Matrix<double, 6, kWorldChanges> effect_of_world(const Camera& camera,
                                                        const Eigen::Vector3d& middle_m);
Eigen::Vector3d middle_of_centers_m(const std::vector<Camera>& cameras);

// Small changes of all cameras (six values each: rotation about the camera's axes, shift of the centre), less
// the change of the world that brings their centres nearest to where they were: a square matrix. At least
// three cameras, not on one line.
Eigen::MatrixXd without_unseen(const std::vector<Camera>& cameras);

}  // namespace vantage::people_calibration_detail
