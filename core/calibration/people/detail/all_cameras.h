// All cameras placed at once by the people whom they see.
#pragma once

#include "core/base/threads.h"
#include "core/calibration/people/people_solve.h"

namespace vantage::people_calibration_detail {

// As solve_from_people() has it, where every camera is free.
Result<PeopleSolution> solve_all_cameras(const PeopleSolveInput& input, const StopSource& stop);

}  // namespace vantage::people_calibration_detail
