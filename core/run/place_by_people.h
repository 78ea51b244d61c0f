// Cameras of a project placed by the people of its footage: the outlines of an analysis' foreground masks or,
// where every camera is free and the project has a detector, its boxes, given to core/calibration/people.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/calibration/people/people_solve.h"
#include "core/run/analysis.h"

namespace vantage {

// The outlines of the range's masks. `analysis`: of the project, which is calibrated and whose cameras stand
// as they do throughout the range. `progress` is called after each frame. Errors: invalid_argument, and those
// of the pipeline.
Result<std::vector<PeopleFrame>> read_outlines(
    const Project& project, Analysis& analysis, FrameRange range,
    const std::function<void(int64_t done, int64_t total)>& progress, const StopSource& stop);

// `analysis`: of the project, which is calibrated. `free`: one per camera, as PeopleSolveInput has it, and
// `mean_height_m` and `solve_lenses`. `range`: of the recording. `progress` is called after each frame.
// Errors: those of solve_from_people() and of the pipeline.
Result<PeopleSolution> place_by_people(const Project& project, Analysis& analysis,
                                       const std::vector<bool>& free, FrameRange range,
                                       const std::function<void(int64_t done, int64_t total)>& progress,
                                       const StopSource& stop,
                                       std::optional<double> mean_height_m = std::nullopt,
                                       bool solve_lenses = false);

}  // namespace vantage
