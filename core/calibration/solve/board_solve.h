// A calibration of several cameras from views of a board, or of several boards that are joined rigidly or lie
// still: lenses, poses, and their uncertainty.
//
// Steps: each camera's lens from all its own views (or as given; lens_solve.h); poses of the board in each
// view; cameras placed against each other by instants that they share (board_poses.h; of several boards
// joined_boards.h); one bundle adjustment of everything (bundle.h). The world is the (first) board at one
// instant: metres, z up from its printed side, x along its columns.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/calibration/solve/board.h"
#include "core/calibration/solve/bundle.h"
#include "core/calibration/solve/camera_values.h"
#include "core/calibration/solve/cross_validation.h"
#include "core/geometry/camera.h"

namespace vantage {

struct BoardCamera {
  std::string name;
  int width_px = 0, height_px = 0;
  std::optional<Camera>
      given;  // its lens, of this picture size; its pose only shows which way round a board is seen
  bool given_pose = false;              // that pose is known
  bool solve_lens = false;              // otherwise the given lens is fixed; without one it is always solved
  std::optional<LensModel> model = {};  // of the lens solved; nothing: the given lens's, else polynomial
  // Solved values of BundleCamera::timing, by its corners' velocities.
  std::array<bool, kTimingValues> timing_free = {};
  // Carried about between several boards: it links them, and has no pose. Its instants count its own
  // pictures, in each of which the boards' relative poses are the same.
  bool hand_held = false;
};

struct BoardsInput {
  std::vector<Board> boards;  // several keep their relative poses at all instants of `views`
  std::vector<BoardCamera> cameras;
  std::vector<BoardView> views;  // for poses; may be empty: lenses only
  // For lenses only: instants count each camera's own pictures, boards may have any pose.
  std::vector<BoardView> lens_views;
};

struct BoardsOptions {
  bool k3 = false;                            // solved polynomial lenses have a k3
  std::optional<int64_t> world_instant = {};  // nothing: the first instant that the most cameras see
  // One per camera: turns its corners' order at the world's instant.
  std::optional<std::vector<bool>> half_turned = {};
  double board_above_floor_m = 0;  // z of the printed side in the world
  // Takes about twice the time. If the halves differ by more than expected, all standard deviations and
  // covariances of the solution are enlarged by it (R. T. Birge, "The calculation of errors by the method of
  // least squares", 1932).
  bool cross_validate = false;
  StopSource stop = {};
};

struct CameraSolution {
  Camera camera;  // if !posed its pose is the identity, and meaningless
  bool posed = false;
  int pictures = 0, corners = 0;  // used, of both kinds of views
  double rms_px = 0, median_px = 0,
         max_px = 0;       // of the distances between projected and seen corners, all of them
  double pose_rms_px = 0;  // the same of `views` alone; 0 where there are none
  int pose_corners = 0;
  LensFree lens_free = {};
  bool lens_fixed() const { return lens_free == LensFree{}; }      // as given, and counted as exact
  LensValues lens_std = {};                                        // px, coefficients without unit; 0: fixed
  Eigen::Vector3d center_std_m = Eigen::Vector3d::Zero();          // in the world; 0 if the pose is fixed
  Eigen::Vector3d rotation_std_rad = Eigen::Vector3d::Zero();      // about the camera's axes
  std::array<double, kTimingValues> timing = {}, timing_std = {};  // frames; 0: fixed
  BoardCoverage coverage = {};
  std::vector<std::string> held;    // values that the pictures do not determine, and at which they are fixed
  std::vector<std::string> advice;  // what to record next
};

// One of several boards.
struct BoardPlace {
  bool placed = false;  // otherwise it is linked with no other, and its views count for lenses only
  int views = 0;        // used for poses
  Eigen::Isometry3d world_board_from_board = Eigen::Isometry3d::Identity();
  Eigen::Vector3d shift_std_m = Eigen::Vector3d::Zero();       // in the world board's axes; its own is 0
  Eigen::Vector3d rotation_std_rad = Eigen::Vector3d::Zero();  // about them
};

struct CornerResidual {
  int camera = 0;
  int64_t instant = 0;
  bool lens_view = false;
  int index = 0;
  double x_px = 0, y_px = 0;            // projected less seen
  double seen_x_px = 0, seen_y_px = 0;  // where it is seen
  int board = 0;
  bool unlinked = false;  // a lens view that is one of `views`, but links nothing; its instant is theirs
};

// Standard deviations of a camera's pose as another one sees it; the world's, which all cameras share, is no
// part of them.
struct RelativeDeviation {
  size_t from = 0;  // the other camera
  double turned_rad = 0, moved_m = 0;
};

struct BoardsSolution {
  std::vector<CameraSolution> cameras;
  bool posed = false;
  int64_t world_instant = 0;
  std::vector<int64_t> instants;   // used for poses
  std::vector<BoardPlace> boards;  // by board; of one alone empty
  size_t world_board = 0;          // the first that is placed
  std::vector<CornerResidual> residuals;
  SolvedTogether together;  // cameras with a pose; the world's board and given lenses are fixed
  // Present if requested, and if the pictures are enough for two halves; by camera.
  std::optional<CrossValidation> cross_validation = {};

  double rms_px() const;  // of the distances of all residuals; 0: there are none
  // Deviation from the first camera with a pose; nothing of that one, of cameras without a pose, and where
  // `together` is not known.
  std::optional<RelativeDeviation> relative_deviation(size_t camera) const;
};

// Same input, same bytes. Fails if a camera has no view, a lens that is not given remains open, cameras or
// the order of corners cannot be determined (board_poses.h), or boards do not link all cameras; states what
// to record. cancelled: stopped, which takes no longer than an iteration.
Result<BoardsSolution> solve_boards(const BoardsInput& input, const BoardsOptions& options);

}  // namespace vantage
