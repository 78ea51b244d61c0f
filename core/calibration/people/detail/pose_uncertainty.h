// Uncertainty of cameras that people placed: by solving again without each part of the data.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/calibration/people/detail/upright_people.h"

namespace vantage::people_calibration_detail {

// Errors are common to people who follow each other in time, and to those at the same position, whom the same
// things hide and the same background shows; a jackknife shows only errors that its groups do not have in
// common. So kParts stretches of time are left out, one after another, and then kParts sets of
// positions, and the mean of both covariances counts (if all are at one position, that of time). A share of
// `left_open`, adjust_all()'s covariance, is added, since a person who stands still differs in no part.
// `people_of`: of tangents.outlines, in upright.people. `seen`: without_gauge_freedom(). Same order as
// adjust_all()'s. Errors: those of adjust_all(); cancelled.
Result<Eigen::MatrixXd> covariance_by_parts(const TangentProblem& tangents, const UprightProblem& upright,
                                            const std::vector<size_t>& people_of,
                                            const Eigen::MatrixXd& left_open, const Eigen::MatrixXd& seen,
                                            const StopSource& stop);

}  // namespace vantage::people_calibration_detail
