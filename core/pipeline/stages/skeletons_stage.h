// The joints of fused people in the scene (core/pipeline/person_skeletons.h). Of each frame alone: limbs get
// their constant lengths where a recording's results are complete (core/results/results_skeletons.h).
#pragma once

#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kSkeletonsStageType;

}  // namespace vantage
