// The volume that the cameras' indicators agree on.
#pragma once

#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kCarvingStageType;

}  // namespace vantage
