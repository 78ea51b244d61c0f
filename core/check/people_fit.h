// The camera whose pose is not the calibrated one, by the people whom it and others show.
//
// Each camera in turn is placed by the outlines of people, its neighbours (camera_view.h) fixed
// (core/calibration/people). A wrong camera's outlines agree with all others' once it is placed. Those of a
// sound camera agree with the other sound ones' from the start, and no pose lets them agree with the wrong
// one's as well, so that placing it gains nothing. Rays (outline_fit.h) do not show what moves outlines by
// less than masks are fat; tangents of people whom no one hides do.
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
  double turned_deg = 0, moved_m = 0;  // from how it is calibrated
  double before_px = 0, after_px = 0;  // by which tangents miss: as calibrated, as placed
  FloorEffect floor;
};

struct PeopleReport {
  std::vector<PeopleFit> cameras;
  // The one camera that people place elsewhere, certainly and where it may move a place by more than
  // kMaxFloorShift_m (outline_fit.h).
  std::optional<size_t> wrong;
};

// True if placing the camera explains what people show of it.
bool is_elsewhere(const PeopleFit& fit);
// `cameras`: the fits of all. None where placing either of two cameras would explain it.
std::optional<size_t> camera_elsewhere(const std::vector<PeopleFit>& cameras);

// A camera with fewer than two neighbours is not placed. `instants`: in the order of time. `placed` counts
// cameras, from any thread. Cameras that a stop left out are not solved.
PeopleReport people_report(const std::vector<Camera>& cameras, const Neighbours& neighbours,
                           const VoxelGrid& grid, const std::vector<MaskSet>& instants,
                           const std::function<void()>& placed, const StopSource& stop);

}  // namespace vantage
