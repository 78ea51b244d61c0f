// Does a calibration fit what its cameras show? Verdicts of check.h on silhouettes and outlines, by the masks
// of a few instants.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/threads.h"
#include "core/check/check.h"
#include "core/check/outline_fit.h"
#include "core/check/people_fit.h"
#include "core/check/silhouettes.h"

namespace vantage {

class CheckParts;  // core/check/detail/project_checks.h
class GridViews;

struct FootageMasks {
  const std::vector<Camera>& cameras;  // named
  const VoxelGrid& grid;               // coarse: see coarse_grid()
  std::vector<MaskSet> instants;       // by instant and camera; an empty Image: none of the camera's size
  bool proven = false;                 // the masks are of empty-scene clips, so that they can fail a camera
  StopSource stop;
  bool by_people = true;        // cameras are placed by people, too, which takes longest
  CheckParts* parts = nullptr;  // told how far it is; null: nothing is
};

// What the footage says of how its cameras stand.
struct FootageReport {
  OutlineReport outlines;
  PeopleReport people;
  // The one camera to blame: named by rays, by people or by both; none where they name two, and where people
  // would place two elsewhere and rays name a third.
  std::optional<size_t> wrong;
  std::shared_ptr<const GridViews> views;  // of cameras and grid, once they were projected
};

OutlineReport outline_report(const FootageMasks& footage);
// After a stop it is not complete: nothing may be concluded from it.
FootageReport footage_report(const FootageMasks& footage);
// What the two say together.
FootageReport together(OutlineReport outlines, PeopleReport people);

// One item of "silhouettes" and one of "outlines" for each camera, and one of "outlines" for the project
// where nothing fits. `report`: of this footage.
std::vector<CheckItem> examine_agreement(const FootageMasks& footage, const FootageReport& report);

}  // namespace vantage
