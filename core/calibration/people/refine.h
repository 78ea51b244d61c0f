// Improvement of a calibration that is nearly right by a project's data, clicked points and people who walk.
// It never gets worse: it changes only where held-out data agree better with it.
// Explanation: resources/docs/algorithms/people-calibration.md.
//
// The footage is cut into kStretches; every other one is solved on and the rest judged, and the other way
// round. Points are left out in turns, and judged by where the cameras then place them. First camera by
// camera, the others fixed; then all at once, with as many as possible fixed that keep their given relative
// poses. If no two do, all are placed at once. By people first, then by points.
//
// A pose is taken if the held-out data gain beyond their scatter (person_outlines.h, verdict_of), the other
// kind of data loses nothing beyond its own, and a position on the floor moves by kMinRefineCertainty
// standard deviations or more; outlines must miss by a sixth less, as all masks have some errors in common.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/calibration/people/person_outlines.h"
#include "core/geometry/camera.h"
#include "core/geometry/clicked_point.h"

namespace vantage {

struct RefineInput {
  std::vector<Camera> cameras;            // as given, under the names that clicks state; lenses are fixed
  std::vector<bool> free;                 // one per camera: it may be changed
  std::vector<PeopleFrame> frames = {};   // in the order of time; none: no evidence of people
  std::vector<ClickedPoint> points = {};  // none: no evidence of points
  VoxelGrid grid;                         // the region
};

enum class RefineBy : uint8_t { people, points };

// Residuals of held-out data, pixels.
struct HeldOutMiss {
  double before = 0, after = 0;
};

// A trial of other poses.
struct RefineStep {
  RefineBy by = RefineBy::people;
  std::vector<size_t> cameras;  // that were free
  bool taken = false;
  bool world_by_centers = false;  // no camera was fixed: all centres, in the mean, keep the world
  HeldOutMiss miss = {};          // of what these cameras show; 0: not reached
  std::string why_not = {};       // a sentence; empty where taken
};

struct RefinedCamera {
  Camera camera;  // as given where nothing was taken for it
  bool changed = false;
  CameraChange change = CameraChange::Zero();  // from the given one
  double turned_deg = 0, moved_m = 0;
  double turned_std_deg = 0, moved_std_m = 0;  // of the step that changed it last
  double floor_m = 0, floor_std_m = 0;         // maximum shift of a position on the floor
  std::optional<HeldOutMiss> people;  // of its outlines (outline_scatter_px); nothing: none are judged
  std::optional<HeldOutMiss> points;  // root mean square of its clicks; likewise
};

struct Refinement {
  bool accepted = false;  // false: nothing better than the given calibration was found
  std::vector<RefinedCamera> cameras;
  std::vector<RefineStep> steps;  // in the order in which they were tried; of a round the best, or all
};

inline constexpr size_t kStretches = 8, kMaxPointTurns = 12;
inline constexpr double kMinRefineCertainty = 3;

// Same input, same bytes. Errors: invalid_argument if no camera is free, or there are neither frames nor
// points; cancelled. Insufficient data are not an error: nothing is accepted, and the steps state why.
Result<Refinement> refine_cameras(const RefineInput& input, const StopSource& stop);

}  // namespace vantage
