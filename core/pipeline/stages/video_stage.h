// The first stage: the recording's frame sets, in the memory of the chain's device.
#pragma once

#include <memory>

#include "core/backend/memory_transfer.h"
#include "core/pipeline/stage.h"
#include "core/video/recording.h"

namespace vantage {

// `recording` outlives the stage. Pictures that were decoded into host memory are uploaded to `device`, whose
// `transfer` it is, so that downstream always gets them in the device's memory.
std::unique_ptr<Stage> make_video_stage(Recording& recording, Device device,
                                        std::unique_ptr<MemoryTransfer> transfer);

}  // namespace vantage
