// Tracks people from frame to frame; with memory.
#pragma once

#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kTrackingStageType;

}  // namespace vantage
