// How fast each person moves, from the flows of all cameras (core/pipeline/detail/person_motion.h); empty
// where there is no flow.
#pragma once

#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kMotionStageType;

}  // namespace vantage
