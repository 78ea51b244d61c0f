// Checks that a camera shows the same view throughout its recording, and solves its pose after each jump.
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

// A camera's calibration from one of its own frames on, as the project states it.
struct KnownCalibration {
  int64_t from_frame = 0;  // as LaterCalibration::from_frame
  int64_t from_camera_frame = 0;
  Camera camera;
};
// The project's later calibrations. `rate_ratio`: the camera's frames for each of the base's.
std::vector<KnownCalibration> known_calibrations(const ProjectCamera& camera, double rate_ratio);

// A jump, and what explains it where the camera is calibrated.
struct SolvedJump {
  ViewJump jump;
  std::optional<JumpTurn> turn;           // turn from the pose before this jump
  std::optional<KnownCalibration> known;  // a later calibration of the project begins here
  // Median residual of the corners after the turn. Nothing: the camera was moved as well, and where the
  // corners lie in the scene is not known.
  std::optional<double> known_px;
  std::optional<double>
      floor_m;  // median shift of positions on the floor against the calibration that applies

  // A turn alone explains the jump: the camera was not moved as well.
  bool solved() const;
  // The project has a calibration from there on, and the corners do not contradict it.
  bool known_and_fits() const;
};
// `calibration`: at the start of the recording; `known`: later ones, in order of time. `grid`: that of the
// region; null: floor_m is not estimated.
std::vector<SolvedJump> solve_jumps(const ViewFinding& found, const std::optional<Camera>& calibration,
                                    const VoxelGrid* grid, const std::vector<KnownCalibration>& known = {});

// Reads pictures of a video, opened at the first request.
ReadView view_reader(const std::string& video, const StopSource& stop);

// Number of pictures taken from the whole video; more are read around each jump.
inline constexpr int kWatchedViews = 24;
struct WatchedView {
  ViewFinding finding;
  double frame_rate = 0;  // frames/s of the video; 0: unknown
  int width_px = 0;       // the video's
};
Result<WatchedView> watch_view(const std::string& video, int pictures, const StopSource& stop);

// Frame rates of a camera and of the base camera, frames/s.
struct ViewRates {
  double own = 0, base = 0;
};
// The verdict of check.h on "view". `views`: pictures reduced by view_factor() of the video's width.
CheckItem examine_view(const ProjectCamera& camera, const std::vector<TimedView>& views, int width_px,
                       const VoxelGrid* grid, const ViewRates& rates, const StopSource& stop);

// Neighbours of each camera: comparing all pairs takes far too long with many cameras, and cameras in
// different corners of a hall show nothing in common.
//
// A camera is compared with the kMaxNeighbours that share most of its floor and see it from other directions:
// a second camera next to the first adds nothing. With no more cameras than that, all pairs are compared.

inline constexpr size_t kMaxNeighbours = 5;

// Neighbours by camera, ascending. They share some of the floor, unless all pairs are compared.
using Neighbours = std::vector<std::vector<size_t>>;
Neighbours neighbours_of(const std::vector<Camera>& cameras, const VoxelGrid& grid);

}  // namespace vantage
