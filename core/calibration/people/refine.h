// A calibration that is nearly right made better by what a project has, clicked points and people who walk,
// and never made worse: it changes only where data that had no part in a solution agree better with it.
// Explanation: resources/docs/algorithms/people-calibration.md.
//
// The footage is cut into kStretches; every other one is solved on and the rest judged, and the other way
// round. Points are left out in turns, and judged by where the cameras then place them. First camera by
// camera, the others held; then all at once, so that the most that stand to each other as given are held.
// Where no two do, all are placed at once. By people first, then by points.
//
// A pose is taken where the held-out data gain beyond their scatter (person_outlines.h, verdict_of), the
// other kind of data loses nothing beyond its own, and a place on the floor moves by kMinRefineCertainty
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
  std::vector<Camera> cameras;            // as given, under the names that clicks state; lenses are held
  std::vector<bool> free;                 // one per camera: it may be changed
  std::vector<PeopleFrame> frames = {};   // in the order of time; none: people say nothing
  std::vector<ClickedPoint> points = {};  // none: points say nothing
  VoxelGrid grid;                         // the region
};

enum class RefineBy : uint8_t { people, points };

// Residuals of held-out data, pixels.
struct HeldOutMiss {
  double before = 0, after = 0;
};

// Cameras that were tried otherwise.
struct RefineStep {
  RefineBy by = RefineBy::people;
  std::vector<size_t> cameras;  // that were free
  bool taken = false;
  bool world_by_centers = false;  // no camera was held: the world is kept by all centres in the mean
  HeldOutMiss miss = {};          // of what these cameras show; 0: it did not come to that
  std::string why_not = {};       // a sentence; empty where taken
};

struct RefinedCamera {
  Camera camera;  // as given where nothing was taken for it
  bool changed = false;
  CameraChange change = CameraChange::Zero();  // from the given one
  double turned_deg = 0, moved_m = 0;
  double turned_std_deg = 0, moved_std_m = 0;  // of the step that changed it last
  double floor_m = 0, floor_std_m = 0;         // by which the place on the floor that moves most moves
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

// Same input, same bytes. Errors: invalid_argument where no camera is free, or there are neither frames nor
// points; cancelled. Data that do not suffice are no error: nothing is accepted, and the steps say why.
Result<Refinement> refine_cameras(const RefineInput& input, const StopSource& stop);

}  // namespace vantage
