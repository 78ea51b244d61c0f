// One bundle adjustment: lenses, poses of cameras and poses of a flat board, or of several that are joined
// rigidly, from corners seen in pictures.
// Robust, and the same for the same input, bit by bit (core/calibration/adjust). Source: B. Triggs et al.,
// "Bundle adjustment, a modern synthesis", 1999.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/geometry/projection.h"

namespace vantage {

// fx fy cx cy (px) and the coefficients of core/geometry/lens.h that are solved. Values that a lens's model
// does not have are 0 and fixed.
inline constexpr int kLensValues = 12;
inline constexpr std::array<const char*, kLensValues> kLensNames = {"fx", "fy", "cx", "cy", "k1", "k2",
                                                                    "p1", "p2", "k3", "k4", "k5", "k6"};
enum LensValue : size_t { kFx, kFy, kCx, kCy, kK1, kK2, kP1, kP2, kK3, kK4, kK5, kK6 };
using LensValues = std::array<double, kLensValues>;
using LensFree = std::array<bool, kLensValues>;

constexpr bool lens_has_value(LensModel model, size_t value) {
  if (model == LensModel::polynomial) return value <= kK3;
  return model == LensModel::rational || value <= kK2 || value == kK3 || value == kK4;
}

LensValues lens_values(const PinholeCamera<double>& camera);
// The lens with these values, complete.
Lens<double> lens_with(const LensValues& values, const Lens<double>& fixed);

// A rotation vector (radians) and a translation (m): b = R(rotation) a + translation.
using PoseValues = std::array<double, 6>;

inline constexpr size_t kTimingValues = 2;
enum TimingValue : size_t { kDelay, kReadout };

struct BundleCamera {
  LensValues lens = {};
  LensFree lens_free = {};
  Lens<double> fixed = {};  // its model, thin prism and tilt, which are not solved; the rest is not read
  PoseValues cam_from_world = {};
  bool pose_free = true;
  // Frames by which a picture was taken earlier than the bundle counts, and by which its last row was exposed
  // later than its first (rolling-shutter readout); corners move by them times their velocities. The middle
  // row's is the picture's time.
  std::array<double, kTimingValues> timing = {};
  std::array<bool, kTimingValues> timing_free = {};
  double height_px = 0;  // of the picture; not read where there is no readout
};

struct BundleBoard {
  PoseValues world_from_board = {};
  bool free = true;
};

// A board that is joined to others; the boards' poses are those of one of them.
struct BundleJoined {
  PoseValues board_from_joined = {};
  bool free = true;
};

struct BundleCorner {
  int camera = 0, board = 0;
  double x_m = 0, y_m = 0;                                // on the board, z = 0
  double x_px = 0, y_px = 0;                              // as seen
  Eigen::Vector2d velocity_px = Eigen::Vector2d::Zero();  // of the corner in the picture, per frame
  int joined = -1;  // the board that it is on; -1: the one whose pose `board` is
};

struct Bundle {
  std::vector<BundleCamera> cameras;
  std::vector<BundleBoard> boards;
  std::vector<BundleJoined> joined;
  std::vector<BundleCorner> corners;
};

struct BundleReport {
  std::vector<Eigen::Vector2d> residuals_px;  // projected less seen, one per corner
  std::vector<double> sigma_px;  // of one coordinate, one per camera, by the corners' own scatter
  // Covariance of the free values, with each camera's own sigma; empty where the pictures leave something
  // open (see undetermined).
  Eigen::MatrixXd covariance;
  // Columns of the covariance; -1: fixed. Of poses the first of six.
  std::vector<std::array<int, kLensValues>> lens_index;
  std::vector<int> pose_index;
  std::vector<std::array<int, kTimingValues>> timing_index;
  std::vector<int> joined_index;
  int camera_columns = 0;  // lenses, poses and timing: they come first
  // Standard deviations of each camera's timing by leaving out stretches of boards, in the order of
  // Bundle::boards, in which errors that corners have in common count; 0: fixed, or unknown by so few boards.
  std::vector<std::array<double, kTimingValues>> timing_scatter;
  double smallest_eigenvalue = 1;  // of the normal equations, scaled to a diagonal of ones
  std::string undetermined;  // the values that the pictures leave open: "camera 2 fx, board 3"; or empty
};

// Improves the bundle's free values. Huber's loss begins at three times each camera's own sigma, so that
// corners found wrongly do not bend the rest. Fails when a corner starts behind its camera, or when no
// solution is reached; cancelled, within an iteration of the stop.
Result<BundleReport> adjust(Bundle* bundle, const StopSource& stop = {});

// The pixel at which a camera sees a corner; the same formula as core/geometry/projection.h, of a fisheye
// also beyond 90 degrees off the axis.
Eigen::Vector2d project_corner(const BundleCamera& camera, const BundleBoard& board, double x_m, double y_m,
                               const BundleJoined* joined = nullptr);

}  // namespace vantage
