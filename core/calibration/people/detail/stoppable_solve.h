// Ceres' minimiser, ended within an iteration by a StopSource.
#pragma once

#include <ceres/problem.h>
#include <ceres/solver.h>

#include "core/base/result.h"
#include "core/base/stop_token.h"

namespace vantage::people_calibration_detail {

// On one thread, so that sums have one order, and without a log. Errors: cancelled where it was stopped,
// whatever was reached; bad_data where no solution is reached.
Status solve_until_stopped(ceres::Solver::Options options, ceres::Problem& problem, const StopSource& stop);

}  // namespace vantage::people_calibration_detail
