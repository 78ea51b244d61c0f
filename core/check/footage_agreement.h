// Checks that a calibration fits the cameras' pictures: verdicts of check.h on silhouettes and outlines, by
// the masks of a few instants.
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
  std::vector<MaskSet> instants;  // one per instant and camera; an empty Image: none of the camera's size
  bool proven = false;            // the masks come from empty-scene clips and can fail a camera
  StopSource stop;
  bool by_people = true;        // also places cameras by people, which takes longest
  CheckParts* parts = nullptr;  // gets the progress; null: not reported
};

// The poses of the cameras as the footage shows them.
struct FootageReport {
  OutlineReport outlines;
  PeopleReport people;
  // The one camera to blame, named by rays, people or both. Nothing where they name two, or where people
  // would place two elsewhere and rays name a third.
  std::optional<size_t> wrong;
  std::shared_ptr<const GridViews> views;  // of cameras and grid, once computed
};

OutlineReport outline_report(const FootageMasks& footage);
// Incomplete after a stop: nothing may be concluded from it.
FootageReport footage_report(const FootageMasks& footage);
// Combines both reports.
FootageReport together(OutlineReport outlines, PeopleReport people);

// One item of "silhouettes" and one of "outlines" for each camera, and one of "outlines" for the project
// where nothing fits. `report`: of this footage.
std::vector<CheckItem> examine_agreement(const FootageMasks& footage, const FootageReport& report);

}  // namespace vantage
