// The first rotations of cameras that may all be off by some degrees: a person's box says how far away that
// person is, if about 1.7 m tall, and so where another camera shows them. By what its boxes are displaced
// from there in most frames, as a whole, it is turned.
#pragma once

#include <vector>

#include "core/calibration/people/detail/people_footage.h"

namespace vantage::people_calibration_detail {

// Changes with a rotation alone, of all cameras but the one whose boxes agree with most others'.
// Where it is stopped they are of no use.
std::vector<PoseChange> first_rotations(const std::vector<Camera>& cameras, const PeopleFootage& footage,
                                        const StopSource& stop);

}  // namespace vantage::people_calibration_detail
