// A camera's line of offsets with a step at each jump.
#pragma once

#include <vector>

#include "core/sync/detail/stretches.h"

namespace vantage::sync_detail {

using LineFit = DriftLine (*)(const std::vector<DriftPoint>&);

// One line with one slope and these steps (by jump) through what was measured. A step of a single frame is
// within what a short stretch is off by and goes to the next one in time; steps that the line shows to be
// others are mended. `measured` is not empty.
CameraAlignment fit_stepped_line(const CameraAlignment& camera, const std::vector<Jump>& jumps,
                                 const std::vector<MeasuredOffset>& measured, std::vector<double> sizes,
                                 LineFit fit_line);

// The camera's change at each jump, 0 where it has none.
std::vector<double> sizes_of(const CameraAlignment& camera, const std::vector<Jump>& jumps);

}  // namespace vantage::sync_detail
