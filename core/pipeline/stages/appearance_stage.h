// The colours of people, camera by camera (core/pipeline/detail/person_appearance.h); empty unless
// appearance.enabled is on.
#pragma once

#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kAppearanceStageType;

}  // namespace vantage
