// The first stage: the recording's frame sets, in the memory of the chain's device.
#pragma once

#include <memory>

#include "core/backend/memory_transfer.h"
#include "core/pipeline/stage.h"
#include "core/video/recording.h"

namespace vantage {

// `recording` outlives the stage. With a `transfer` (Device::cuda) pictures that were decoded into host
// memory are uploaded, so that downstream always gets them in the device's memory; without one they stay
// where they are.
std::unique_ptr<Stage> make_video_stage(Recording& recording, std::unique_ptr<MemoryTransfer> transfer);

}  // namespace vantage
