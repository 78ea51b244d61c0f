// Uncertainty of cameras that people placed: by solving again without each part of the data.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/calibration/people/detail/upright_people.h"
#include "core/geometry/camera.h"

namespace vantage::people_calibration_detail {

// Errors are common to people who follow each other in time, and to those at the same position, whom the same
// things hide and the same background shows; the delete-a-group jackknife shows only errors that parts do not
// have in common. So kParts stretches of time are left out, one after another, and then kParts sets of
// positions, and the mean of both covariances counts (if all are at one position, that of time). A share of
// `left_open`, adjust_all()'s covariance, is added, since a person who stands still differs in no part.
// `people_of`: of tangents.outlines, in upright.people. `seen`: without_gauge_freedom(). Same order as
// adjust_all()'s. Errors: those of adjust_all(); cancelled.
Result<Eigen::MatrixXd> covariance_by_parts(const TangentProblem& tangents, const UprightProblem& upright,
                                            const std::vector<size_t>& people_of,
                                            const Eigen::MatrixXd& left_open, const Eigen::MatrixXd& seen,
                                            const StopSource& stop);

// Gauge of a world, which no picture shows: its scale, origin and axes.

// Change of a camera (six values: rotation about its own axes, shift of the centre) with its world: by a
// small rotation about `middle_m`, a shift, and a stretch from there, in this order.
inline constexpr int kWorldChanges = 7;
Eigen::Matrix<double, 6, kWorldChanges> effect_of_world(const Camera& camera,
                                                        const Eigen::Vector3d& middle_m);
Eigen::Vector3d middle_of_centers_m(const std::vector<Camera>& cameras);

// Small changes of all cameras (six values each: rotation about the camera's axes, shift of the centre), less
// the change of the world that brings their centres nearest to where they were: a square matrix. At least
// three cameras, not on one line.
Eigen::MatrixXd without_gauge_freedom(const std::vector<Camera>& cameras);

}  // namespace vantage::people_calibration_detail
