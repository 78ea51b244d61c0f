// Held lenses judged by a solution that solved them from the same footage.
#pragma once

#include <vector>

#include "core/calibration/people/people_solve.h"

namespace vantage::people_calibration_detail {

// The given cameras instead of solved ones.
void keep_given(const std::vector<Camera>& given, PeopleSolution* solution);

// Fills the verdicts of `held`, and what its poses are worth whatever the lenses are. That is what is said of
// a camera whose lens is open, and of all where one is wrong. Where one is wrong, or a pose is open then, all
// stay as given.
void judge_lenses(const std::vector<Camera>& given, const PeopleSolution& freed, PeopleSolution* held);

// Where lenses cannot be solved: all are open, and so are the poses.
void open_lenses(const std::vector<Camera>& given, PeopleSolution* held);

}  // namespace vantage::people_calibration_detail
