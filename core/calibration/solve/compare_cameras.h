// Two calibrations of one camera compared: how it is turned and moved, what that does to its picture and to
// places on the floor.
#pragma once

#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/camera_change.h"
#include "core/geometry/world_change.h"

namespace vantage {

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
