// Which cameras stand where they are given, of cameras that were all solved together.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/calibration/people/detail/solved_poses.h"
#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"

namespace vantage::people_calibration_detail {

// A solution of all cameras shows how they stand to each other, not where their world is. In the world in
// which as many as possible stand where they are given, those that do not are the ones that moved.
struct UnmovedCameras {
  WorldChange world;            // from the solved world to that of the given cameras
  std::vector<size_t> cameras;  // two at least, ascending
};

// `covariances` of the solved poses, one per camera. A camera stands where it is given if no place on the
// floor that it sees moves by kMinRefineCertainty standard deviations. Of sets as large, the one that fits
// best. Nothing: no two cameras do, or others that are as many and none of these do as well, so that it is
// open which of them moved.
std::optional<UnmovedCameras> unmoved_cameras(
    const std::vector<Camera>& given, const std::vector<Camera>& solved,
    const std::vector<Eigen::Matrix<double, kChanges, kChanges>>& covariances, const VoxelGrid& grid);

// Whether a place on the floor that the camera sees moves by kMinRefineCertainty standard deviations or more.
bool moves(const Camera& before, const Camera& after,
           const Eigen::Matrix<double, kChanges, kChanges>& covariance, const VoxelGrid& grid);

struct MovedCameras {
  std::vector<size_t> cameras;  // ascending
  bool open = false;            // which of all cameras moved is open: these are all
};
// The `asked` cameras that moved: all of these are solved at once, and then again with those held that stand
// where they are given, until all that are free move. `solve`: by all data, from the given poses; where it
// fails, the cameras that were free are what is known. Errors: cancelled.
Result<MovedCameras> moved_cameras(
    const std::vector<Camera>& given, std::vector<size_t> asked, const VoxelGrid& grid,
    const std::function<Result<SolvedPoses>(const std::vector<size_t>& free)>& solve);

}  // namespace vantage::people_calibration_detail
