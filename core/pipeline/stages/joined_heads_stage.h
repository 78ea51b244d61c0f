// Heads of the height map joined with the people and with the detected heads
// (core/pipeline/detail/joined_heads.h); empty where there is no height map. A stage of its own, so that
// other people make no other height map.
#pragma once

#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kJoinedHeadsStageType;

}  // namespace vantage
