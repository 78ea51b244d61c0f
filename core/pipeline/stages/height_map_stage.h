// The height map of one camera and the people in it, where heightmap.enabled is on; an empty artifact where
// it is off. It always starts without messages: a frame never has two results.
#pragma once

#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kHeightMapStageType;

}  // namespace vantage
