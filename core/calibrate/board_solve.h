// A calibration of several cameras from views of a chessboard: lenses, poses, and what can be trusted of
// them.
//
// Steps: each camera's lens from all its own views (or as given; lens_solve.h); poses of the board in each
// view; cameras placed against each other by instants that they share (board_poses.h); one bundle adjustment
// of everything (bundle.h). The world is the board at one instant: metres, z up from its printed side, x
// along its columns.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/calibrate/board.h"
#include "core/calibrate/board_coverage.h"
#include "core/calibrate/bundle.h"
#include "core/calibrate/camera_values.h"
#include "core/geometry/camera.h"

namespace vantage {

struct BoardCamera {
  std::string name;
  int width_px = 0, height_px = 0;
  std::optional<Camera>
      given;  // its lens, of this picture size; its pose only tells which way round a board is seen
  bool given_pose = false;              // whether that pose means something
  bool solve_lens = false;              // otherwise the given lens is held; without one it is always solved
  std::optional<LensModel> model = {};  // of the lens solved; nothing: the given lens's, else polynomial
};

struct BoardsInput {
  Board board;
  std::vector<BoardCamera> cameras;
  std::vector<BoardView> views;       // for poses; may be empty: lenses only
  std::vector<BoardView> lens_views;  // for lenses only: instants count each camera's own pictures
};

struct BoardsOptions {
  bool k3 = false;                            // whether polynomial lenses solved have a k3
  std::optional<int64_t> world_instant = {};  // nothing: the first instant that the most cameras see
  // One per camera: turns its corners' order at the world's instant.
  std::optional<std::vector<bool>> half_turned = {};
  double board_above_floor_m = 0;  // z of the printed side in the world
};

struct CameraSolution {
  Camera camera;  // where !posed its pose is the identity and means nothing
  bool posed = false;
  int pictures = 0, corners = 0;  // used, of both kinds of views
  double rms_px = 0, median_px = 0,
         max_px = 0;       // of the distances between projected and seen corners, all of them
  double pose_rms_px = 0;  // the same of `views` alone; 0 where there are none
  int pose_corners = 0;
  LensFree lens_free = {};
  LensValues lens_std = {};                                    // px, coefficients without unit; 0: held
  Eigen::Vector3d center_std_m = Eigen::Vector3d::Zero();      // in the world; 0 where the pose is held
  Eigen::Vector3d rotation_std_rad = Eigen::Vector3d::Zero();  // about the camera's axes
  BoardCoverage coverage = {};
  std::vector<std::string> held;    // what the pictures do not determine, and what it is held at
  std::vector<std::string> advice;  // what to record next
};

struct CornerResidual {
  int camera = 0;
  int64_t instant = 0;
  bool lens_view = false;
  int index = 0;
  double x_px = 0, y_px = 0;  // projected less seen
  double seen_x_px = 0, seen_y_px = 0;
};

struct BoardsSolution {
  std::vector<CameraSolution> cameras;
  bool posed = false;
  int64_t world_instant = 0;
  std::vector<int64_t> instants;  // used for poses
  std::vector<CornerResidual> residuals;
  SolvedTogether together;  // cameras with a pose; the world's board is held, and lenses that were given
};

// Same input, same bytes. Fails when a camera has no view, when a lens that is not given stays open, or when
// cameras or the order of corners cannot be told (board_poses.h); says what to record.
Result<BoardsSolution> solve_boards(const BoardsInput& input, const BoardsOptions& options);

}  // namespace vantage
