// Heads in every camera's picture, where heads.enabled is on; an empty artifact where it is off. With
// calibrations only windows of fitting sizes are searched, views help each other (head_views.h), the heads of
// the views are joined into points of the scene, and each point goes to the person who stands below it.
#pragma once

#include "core/pipeline/stage_type.h"

namespace vantage {

extern const StageType kHeadsStageType;

}  // namespace vantage
