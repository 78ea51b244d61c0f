// Does a camera show the same view throughout its recording? And how does it stand from where it does not?
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/threads.h"
#include "core/check/check.h"
#include "core/check/view_jump.h"
#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

// How a camera stands from one of its own frames on, as the project says it.
struct KnownCalibration {
  int64_t from_frame = 0;  // LaterCalibration's
  int64_t from_camera_frame = 0;
  Camera camera;
};
// The project's later calibrations. `rate_ratio`: the camera's frames for each of the base's.
std::vector<KnownCalibration> known_calibrations(const ProjectCamera& camera, double rate_ratio);

// A jump, and what explains it where the camera is calibrated.
struct SolvedJump {
  ViewJump jump;
  std::optional<JumpTurn> turn;           // from how the camera stood before this jump
  std::optional<KnownCalibration> known;  // a later calibration of the project begins here
  // Residual of the places after that turn; nothing: the camera was also moved, and where they lie is not
  // known.
  std::optional<double> known_px;
  std::optional<double> floor_m;  // median shift of places on the floor against the calibration that holds

  // A turn alone leaves little of the jump: the camera was not moved besides.
  bool solved() const;
  // The project has a calibration from there on, which the places do not contradict.
  bool known_and_fits() const;
};
// `calibration`: of the start of the recording; `known`: later ones, in the order of time. `grid`: of the
// region; null: nothing is said about the floor.
std::vector<SolvedJump> solve_jumps(const ViewFinding& found, const std::optional<Camera>& calibration,
                                    const VoxelGrid* grid, const std::vector<KnownCalibration>& known = {});

// Reads pictures of a video, which is opened when the first is asked for.
ReadView view_reader(const std::string& video, const StopSource& stop);

// Looks at so many pictures of the whole video, and at more where the view jumped.
inline constexpr int kWatchedViews = 24;
struct WatchedView {
  ViewFinding finding;
  double frame_rate = 0;  // of the video, frames/s; 0: not known
  int width_px = 0;       // of its pictures
};
Result<WatchedView> watch_view(const std::string& video, int pictures, const StopSource& stop);

// Frames/s of a camera, and of the base camera.
struct ViewRates {
  double own = 0, base = 0;
};
// The verdict of check.h on "view". `views`: of pictures of that width.
CheckItem examine_view(const ProjectCamera& camera, const std::vector<TimedView>& views, int width_px,
                       const VoxelGrid* grid, const ViewRates& rates, const StopSource& stop);

// With which other cameras a camera is compared: comparing all pairs takes far too long where there are many,
// and cameras in different corners of a hall have nothing to say of each other.
//
// Each camera is compared with the kMaxNeighbours that share most of its floor and look at it from elsewhere:
// a second camera next to the first shows nothing that the first does not. Where there are no more cameras
// than that, all are compared with all.

inline constexpr size_t kMaxNeighbours = 5;

// Neighbours by camera, ascending. Only cameras that share some of the floor, unless all are compared with
// all.
using Neighbours = std::vector<std::vector<size_t>>;
Neighbours neighbours_of(const std::vector<Camera>& cameras, const VoxelGrid& grid);

}  // namespace vantage
