// Preconditions of every implementation of optical flow, whatever its device.
#pragma once

#include "core/base/result.h"
#include "core/optical_flow/optical_flow.h"

namespace vantage::flow {

// Checks a step from `last` (empty for the first picture). invalid_argument: no picture, another size than
// the one before, a mask that is not 8-bit, a mask or initial flow of another size, anything in other memory
// than `place`.
Status check_step(const FlowInput& picture, const FlowInput& last, const FlowRequest& request,
                  MemoryPlace place, int camera);

}  // namespace vantage::flow
