// The height map of one camera and the people in it, where heightmap.enabled is on; an empty artifact where
// it is off. It always starts without messages: a frame never has two results.
#pragma once

#include <memory>

#include "core/backend/memory_transfer.h"
#include "core/pipeline/height_mapper.h"
#include "core/pipeline/stage.h"

namespace vantage {

// `transfer` brings the foreground to the host; null on the CPU.
std::unique_ptr<Stage> make_height_map_stage(HeightMapperOptions options,
                                             std::unique_ptr<MemoryTransfer> transfer);

}  // namespace vantage
