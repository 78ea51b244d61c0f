// The carved volume seen from above, brought to host memory: it is small and everybody downstream reads it
// there. The carver upstream keeps its occupancy.
#pragma once

#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kFloorStageType;

}  // namespace vantage
