// Host copies of what a window shows, for one whose OpenGL cannot read the chain's device memory.
#pragma once

#include <memory>

#include "core/backend/memory_transfer.h"
#include "core/pipeline/stage.h"

namespace vantage {

// with_volume: the chain has a carving stage.
std::unique_ptr<Stage> make_display_stage(std::unique_ptr<MemoryTransfer> transfer, bool with_volume);

}  // namespace vantage
