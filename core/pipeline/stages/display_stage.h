// Host copies of what a window shows, for one whose OpenGL cannot read the chain's device memory.
#pragma once

#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kDisplayStageType;

}  // namespace vantage
