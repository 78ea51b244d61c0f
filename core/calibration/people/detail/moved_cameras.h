// Cameras that moved from their given poses, among cameras that were solved together.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/calibration/people/detail/solved_poses.h"
#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"

namespace vantage::people_calibration_detail {

// A solution of all cameras shows their relative poses, not the world. In the world in which as many as
// possible have their given poses, the others are the ones that moved.
struct UnmovedCameras {
  WorldChange world;            // from the solved world to that of the given cameras
  std::vector<size_t> cameras;  // two at least, ascending
};

// `covariances` of the solved poses, one per camera. A camera is unmoved if no position on the floor that it
// sees moves by kMinRefineCertainty standard deviations. Of equally large sets, the one that fits best.
// Nothing: no two cameras are unmoved, or a disjoint set as large is unmoved, too, so that it is open which
// of them moved.
std::optional<UnmovedCameras> unmoved_cameras(
    const std::vector<Camera>& given, const std::vector<Camera>& solved,
    const std::vector<Eigen::Matrix<double, kChanges, kChanges>>& covariances, const VoxelGrid& grid);

// True if a position on the floor that the camera sees moves by kMinRefineCertainty deviations or more.
bool moves(const Camera& before, const Camera& after,
           const Eigen::Matrix<double, kChanges, kChanges>& covariance, const VoxelGrid& grid);

struct MovedCameras {
  std::vector<size_t> cameras;  // ascending
  bool open = false;            // it is open which of all cameras moved: these are all
};
// The `asked` cameras that moved: all of these are solved at once, then again with the unmoved ones fixed,
// until all free ones move. `solve`: by all data, from the given poses; if it fails, the cameras that were
// free are the result. Errors: cancelled.
Result<MovedCameras> moved_cameras(
    const std::vector<Camera>& given, std::vector<size_t> asked, const VoxelGrid& grid,
    const std::function<Result<SolvedPoses>(const std::vector<size_t>& free)>& solve);

}  // namespace vantage::people_calibration_detail
