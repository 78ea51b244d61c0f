// The cameras' foreground masks of a frame, on the host.
#pragma once

#include "core/backend/memory_transfer.h"
#include "core/foreground/foreground.h"

namespace vantage {

// One a camera, empty where it has no picture. `transfer`: null where they are in host memory.
Result<std::vector<Image>> foreground_masks(const std::vector<ForegroundImages>& foreground,
                                            MemoryTransfer* transfer, int64_t frame);

}  // namespace vantage
