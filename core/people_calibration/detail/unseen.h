// What no picture shows of a world: its scale, where its origin is and which way its axes point.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/geometry/camera.h"

namespace vantage::people_calibration_detail {

// Small changes of all cameras (six values each: rotation about the camera's axes, shift of the centre), less
// the change of the world that brings their centres nearest to where they were: a square matrix. At least
// three cameras, not on one line.
Eigen::MatrixXd without_unseen(const std::vector<Camera>& cameras);

}  // namespace vantage::people_calibration_detail
