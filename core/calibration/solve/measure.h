// Distances and angles on the floor and heights above it, by clicks in a camera's picture or on the floor
// itself, with their standard deviation where it is known how sure the cameras are.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/calibration/solve/camera_values.h"
#include "core/geometry/camera.h"
#include "core/geometry/clicked_point.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

struct Measured {
  std::vector<Eigen::Vector3d> points_m;
  std::optional<double> value;  // metres or degrees (0 to 180); nothing: points are missing, or two are one
  // Deviation of the value: from one pixel of each click, and from the cameras. Nothing where a click is in
  // no picture or its camera no longer has the pose that was solved.
  std::optional<double> std;
};

// The measure of the clicks so far. Nothing where one of them names no camera that there is, or shows no
// place: of the floor, or above the first point. Errors of cameras that were `solved` together go together,
// others do not.
std::optional<Measured> measured(MeasureKind kind, std::span<const MeasureClick> clicks,
                                 std::span<const Camera> cameras,
                                 std::span<const SolvedTogether> solved = {});

// The error to expect of a position on the floor that is triangulated by all cameras that see it: their pixel
// noise, and what is not known of their poses, propagated through the triangulation, as mrcal does it
// (D. Kogan, "mrcal: a camera calibration toolkit").

struct UncertainCamera {
  Camera camera;
  double sigma_px = 1;  // of one coordinate of what is seen in its picture
  // Covariance of its values; 0: its calibration is taken for exact. Cameras count as independent.
  CameraCovariance covariance = CameraCovariance::Zero();
};

// Standard deviation across the floor (m, of x and y together) of a triangulated point; nothing where fewer
// than two cameras see it.
std::optional<double> place_error_m(const std::vector<UncertainCamera>& cameras,
                                    const Eigen::Vector3d& place);

struct FloorErrorMap {
  double x_m = 0, y_m = 0, step_m = kFloorStep_m;  // corner with the smallest x and y; size of a cell
  int columns = 0, rows = 0;
  std::vector<std::optional<double>> error_m;  // in the middle of each cell, row by row from the smallest y
  double median_m = 0, max_m = 0;              // 0: no cell is seen by two cameras
  double covered_share = 0;                    // of the cells

  // The error of a picture's strongest colour: the largest, but no more than four times the middle one, so
  // that a far corner does not pale all else.
  double full_m() const { return std::max(1e-6, std::min(max_m, 4 * median_m)); }
};
// Under the grid, at a height above the floor. Errors: cancelled.
Result<FloorErrorMap> floor_error(const std::vector<UncertainCamera>& cameras, const VoxelGrid& grid,
                                  double height_m, const StopSource& stop = {});

// Two calibrations of one camera compared: how it is turned and moved, what that does to its picture and to
// places on the floor.

// The difference at one pixel: where the other calibration shows what the first shows there, on the floor or,
// where its ray meets none, kComparedDistance_m away.
inline constexpr double kComparedDistance_m = 10;
inline constexpr int kComparedColumns = 16, kComparedRows = 9;  // pixels compared, evenly spread

struct FloorShift {
  Eigen::Vector2d place_m, shift_m;
};

struct CameraComparison {
  CameraChange change;  // from the first to the second
  double turned_deg = 0, moved_m = 0, focal_share = 0;
  // Row by row from the top left; nothing where the second does not show it. NaN nowhere.
  std::vector<std::optional<double>> picture_px;
  double rms_px = 0, max_px = 0;   // of picture_px
  std::vector<FloorShift> floor;   // of places under the grid that the first sees
  double median_m = 0, max_m = 0;  // sizes of floor
};

// Errors: invalid_argument where the pictures have different sizes.
Result<CameraComparison> compare_cameras(const Camera& first, const Camera& second, const VoxelGrid* grid);

// The change of the world that brings the first cameras' centres nearest to the second's, as align_world();
// of two worlds with different origins only their shape is then compared.
Result<WorldChange> align_cameras(const std::vector<Camera>& first, const std::vector<Camera>& second);

}  // namespace vantage
