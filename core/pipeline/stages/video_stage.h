// The first stage: the recording's frame sets, in the memory of the chain's device. Pictures that were
// decoded into host memory are uploaded, so that downstream always gets them there.
#pragma once

#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kVideoStageType;

}  // namespace vantage
