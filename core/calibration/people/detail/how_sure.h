// How sure cameras are that people placed: by solving again without each part of what was seen.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "core/base/result.h"
#include "core/base/stop_token.h"
#include "core/calibration/people/detail/upright_people.h"

namespace vantage::people_calibration_detail {

// Errors are common to people who follow each other in time, and to those at the same place, whom the same
// things hide and the same background shows; the delete-a-group jackknife sees only what parts do not have in
// common. So kParts stretches of time are left out, one after another, and then kParts sets of places, and
// the mean of both covariances counts (where all stand at one place, that of time); besides, a share of
// `left_open`, adjust_all()'s covariance, for a person who stands still differs in no part. `people_of`: of
// tangents.outlines, in upright.people. `seen`: without_unseen(). Same order as adjust_all()'s. Errors: those
// of adjust_all(); cancelled.
Result<Eigen::MatrixXd> covariance_by_parts(const TangentProblem& tangents, const UprightProblem& upright,
                                            const std::vector<size_t>& people_of,
                                            const Eigen::MatrixXd& left_open, const Eigen::MatrixXd& seen,
                                            const StopSource& stop);

}  // namespace vantage::people_calibration_detail
