// The error to expect of a position on the floor that is triangulated by all cameras that see it: their pixel
// noise, and what is not known of their poses, propagated through the triangulation, as mrcal does it
// (D. Kogan, "mrcal: a camera calibration toolkit").
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/base/stop_token.h"
#include "core/calibration/solve/camera_values.h"
#include "core/geometry/camera_change.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

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

  // The error that the strongest colour of a picture stands for: the largest, but no more than four times the
  // middle one, so that a far corner does not pale all else.
  double full_m() const { return std::max(1e-6, std::min(max_m, 4 * median_m)); }
};
// Under the grid, at a height above the floor. Errors: cancelled.
Result<FloorErrorMap> floor_error(const std::vector<UncertainCamera>& cameras, const VoxelGrid& grid,
                                  double height_m, const StopSource& stop = {});

}  // namespace vantage
