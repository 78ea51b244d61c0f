// Finds the camera whose pose differs from its calibration, by people seen by several cameras.
//
// Each camera in turn is placed by the outlines of people with its neighbours (camera_view.h) fixed
// (core/calibration/people). A wrong camera's outlines agree with all others' once it is placed. Those of a
// sound camera agree with the other sound ones' from the start, and no pose makes them agree with the wrong
// one's as well, so placing it gains nothing. Rays (outline_fit.h) do not show displacements smaller than the
// error of the masks' borders; tangents of unoccluded people do.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/base/threads.h"
#include "core/check/camera_view.h"
#include "core/check/silhouettes.h"
#include "core/geometry/camera.h"

namespace vantage {

struct PeopleFit {
  bool solved = false;  // false: too few people, or they leave the camera's pose open; the rest is then 0
  double turned_deg = 0, moved_m = 0;  // against the calibration
  double before_px = 0, after_px = 0;  // miss of the tangents: as calibrated, as placed
  FloorEffect floor;
};

struct PeopleReport {
  std::vector<PeopleFit> cameras;
  // The one camera that people certainly place elsewhere, and whose change may move a position by more than
  // kMaxFloorShift_m (outline_fit.h).
  std::optional<size_t> wrong;
};

// Placing the camera explains its outlines of people.
bool is_elsewhere(const PeopleFit& fit);
// `cameras`: the fits of all. Nothing where placing either of two cameras would explain them.
std::optional<size_t> camera_elsewhere(const std::vector<PeopleFit>& cameras);

// Cameras with fewer than two neighbours are not placed. `instants`: in order of time. `placed` counts
// cameras, from any thread. Cameras skipped by a stop are not solved.
PeopleReport people_report(const std::vector<Camera>& cameras, const Neighbours& neighbours,
                           const VoxelGrid& grid, const std::vector<MaskSet>& instants,
                           const std::function<void()>& placed, const StopSource& stop);

}  // namespace vantage
