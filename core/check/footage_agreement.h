// Does a calibration fit what its cameras show? Verdicts of check.h on silhouettes and outlines, by the masks
// of a few instants.
#pragma once

#include <vector>

#include "core/base/stop_token.h"
#include "core/check/check.h"
#include "core/check/outline_fit.h"
#include "core/check/silhouettes.h"

namespace vantage {

struct FootageMasks {
  const std::vector<Camera>& cameras;  // named
  const VoxelGrid& grid;               // coarse: see coarse_grid()
  std::vector<MaskSet> instants;       // by instant and camera; an empty Image: none of the camera's size
  bool proven = false;                 // the masks are of empty-scene clips, so that they can fail a camera
  StopSource stop;
};

// How the outlines fit.
OutlineReport outline_report(const FootageMasks& footage);

// One item of "silhouettes" and one of "outlines" for each camera, and one of "outlines" for the project
// where nothing fits. `report`: of this footage.
std::vector<CheckItem> examine_agreement(const FootageMasks& footage, const OutlineReport& report);

}  // namespace vantage
