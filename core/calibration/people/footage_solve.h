// Cameras from nothing: lenses, poses and offsets of cameras that no one calibrated or synchronised, from the
// boxes of people who walk in their pictures.
// Explanation: resources/docs/algorithms/people-calibration.md.
//
// Each camera alone shows, by the heights of people, where the floor is (detail/floor_view.h). Their paths on
// it, seen by two cameras, are the same but for a rotation, a shift and a delay
// (detail/floor_paths.h). Cameras are joined one after another where the best hypothesis is clearly better
// than every other one; then one adjustment solves everything (detail/footage_adjustment.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/detections/detections.h"
#include "core/geometry/camera.h"

namespace vantage {

struct Report;

struct FootageCamera {
  std::string name;
  int width_px = 0, height_px = 0;
  double frame_rate = 0;                 // frames/s
  std::vector<CameraDetections> frames;  // by the camera's own frame, from 0
};

struct FootageInput {
  std::vector<FootageCamera> cameras;  // at least two; the first is the base
  double max_offset_s = 10;            // between any two cameras
  // The people's mean height, which gives the scale; nothing: that of adults.
  std::optional<double> mean_height_m = std::nullopt;
};

enum class FootageState : uint8_t {
  solved,
  open,  // the footage does not determine it
};

// Standard deviations are of the shape: after a similarity that brings the cameras nearest to where they are.
struct FootageSolvedCamera {
  std::string name;
  FootageState state = FootageState::solved;
  // Why it is open, and what footage would determine it ("Walk across the middle of cam2 and cam3, and
  // turn."); its other members then say nothing.
  std::string reason, remedy;
  Camera camera;         // the lens: k1; the principal point by joints, by boxes in the picture's middle
  double focal_std = 0;  // relative
  double turned_std_deg = 0, moved_std_m = 0;       // turned: the rays of its pixels
  double offset_frames = 0, offset_std_frames = 0;  // of the camera, as ProjectCamera::offset_frames
  int64_t boxes = 0;                                // of people whom another camera shows, too
  double margin = 0;  // log likelihood of its place above that of the next best one
  bool placed() const { return state != FootageState::open; }
};

// In metres, z up, the floor at z = 0; the origin is in the middle of the people's paths, the x axis to the
// right of the first placed camera, which is the base of the offsets.
struct FootageSolution {
  std::vector<FootageSolvedCamera> cameras;  // all of the input's, in its order; two at least are placed
  int64_t people = 0;                        // paths of people that two cameras or more show
  double together_s = 0;                     // of these, all together
  double mean_height_m = 0;
  double scale_std = 0;  // relative, of all distances
  // Faults of the footage, in words: of one camera ("cam1: people stand still"), or of the cameras'
  // places.
  std::vector<std::string> doubts;
};

// Heights of adults, and how well the mean of those in a recording is known.
inline constexpr double kAdultHeight_m = 1.69, kAdultHeightStd_m = 0.09;
// Standard deviations beyond which footage does not determine a camera.
inline constexpr double kMaxFootageTurned_deg = 3, kMaxFootageMoved_m = 0.4, kMaxFootageFocal = 0.1,
                        kMaxFootageOffset_s = 0.15;

// The cameras found so far, as they are before the last adjustment; by camera, nothing: not yet.
struct FootageProgress {
  double done = 0;  // 0 to 1
  std::vector<std::optional<Camera>> found;
  std::vector<std::string> doubts;  // as FootageSolution has them, of single cameras; complete at done > 0
};
using FootageProgressCallback = std::function<void(const FootageProgress&)>;

// Cameras that the footage does not determine are open, the others solved. Same input, same bytes.
// `progress` is called from this thread. Errors: invalid_argument: fewer than two cameras, or a size or rate
// that is not positive; bad_data, in words, where no two cameras can be placed: what is missing, and what
// would help; cancelled.
Result<FootageSolution> solve_from_footage(const FootageInput& input, const StopSource& stop,
                                           const FootageProgressCallback& progress = {});

Report report_of(const FootageSolution& solution);

}  // namespace vantage
