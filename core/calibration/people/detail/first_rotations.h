// First rotations of cameras that may all be off by some degrees. A person's box shows the distance, for a
// height of about 1.7 m, and so the box to expect in another camera. That camera is turned by the
// displacement that its boxes, as a whole, have in most frames.
#pragma once

#include <vector>

#include "core/calibration/people/detail/people_footage.h"

namespace vantage::people_calibration_detail {

// Changes with a rotation alone, of all cameras but the one whose boxes agree with most others'. Of no use
// after a stop.
std::vector<PoseChange> first_rotations(const std::vector<Camera>& cameras, const PeopleFootage& footage,
                                        const StopSource& stop);

}  // namespace vantage::people_calibration_detail
