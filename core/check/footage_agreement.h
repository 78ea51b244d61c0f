// Does a calibration fit what its cameras show? Verdicts of check.h on silhouettes and outlines, by the masks
// of a few instants.
#pragma once

#include <optional>
#include <vector>

#include "core/base/stop_token.h"
#include "core/check/check.h"
#include "core/check/outline_fit.h"
#include "core/check/people_fit.h"
#include "core/check/silhouettes.h"

namespace vantage {

struct FootageMasks {
  const std::vector<Camera>& cameras;  // named
  const VoxelGrid& grid;               // coarse: see coarse_grid()
  std::vector<MaskSet> instants;       // by instant and camera; an empty Image: none of the camera's size
  bool proven = false;                 // the masks are of empty-scene clips, so that they can fail a camera
  StopSource stop;
};

// What the footage says of how its cameras stand.
struct FootageReport {
  OutlineReport outlines;
  PeopleReport people;
  // The one camera to blame: named by rays, by people or by both; none where they name two, and where people
  // would place two elsewhere and rays name a third.
  std::optional<size_t> wrong;
};

OutlineReport outline_report(const FootageMasks& footage);
FootageReport footage_report(const FootageMasks& footage);
// What the two say together.
FootageReport together(OutlineReport outlines, PeopleReport people);

// One item of "silhouettes" and one of "outlines" for each camera, and one of "outlines" for the project
// where nothing fits. `report`: of this footage.
std::vector<CheckItem> examine_agreement(const FootageMasks& footage, const FootageReport& report);

}  // namespace vantage
