// The carved volume seen from above, brought to host memory: it is small and everybody downstream reads it
// there.
#pragma once

#include <memory>

#include "core/backend/memory_transfer.h"
#include "core/occupancy/floor_map.h"
#include "core/pipeline/stage.h"

namespace vantage {

// The carver upstream keeps its occupancy.
std::unique_ptr<Stage> make_floor_stage(std::unique_ptr<FloorMapper> mapper,
                                        std::unique_ptr<MemoryTransfer> transfer);

}  // namespace vantage
