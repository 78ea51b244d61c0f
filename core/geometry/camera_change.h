// How a camera may stand otherwise than its calibration says, and what that does to places on the floor.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/geometry/camera.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

// Rotation (radians, about the camera's own x, y and z: tilt, pan, roll), shift of the centre (metres, in the
// world), and relative change of the focal length: 0.03 is 3 % longer.
inline constexpr int kChanges = 7;
using CameraChange = Eigen::Matrix<double, kChanges, 1>;

// cam_from_world turned about the camera's axes by a rotation vector (radians).
Eigen::Matrix3d turned(const Eigen::Matrix3d& cam_from_world, const Eigen::Vector3d& turn);

// None where the changed camera is not valid (a focal length of 0).
std::optional<Camera> changed_camera(const Camera& camera, const CameraChange& change);
// The change that makes one camera stand as another.
CameraChange change_between(const Camera& from, const Camera& to);

// Whether a camera was turned about its own centre alone, to a millimetre: nothing in its pictures shifts
// against what lies behind then.
bool only_turned(const Camera& from, const Camera& to);

// Places on the floor under the grid that the camera sees, kFloorStep_m apart.
inline constexpr double kFloorStep_m = 0.25;
std::vector<Eigen::Vector3d> floor_places(const Camera& camera, const VoxelGrid& grid);

// How far from the place its picture is taken to be when the camera has changed: where the pixel that shows
// the place meets the floor through the changed camera, less the place. Nothing: it no longer does.
std::optional<Eigen::Vector2d> floor_shift_m(const Camera& camera, const Camera& changed,
                                             const Eigen::Vector3d& place);

// The effect of a change, known with an uncertainty, on the positions on the floor that the camera sees.
struct FloorEffect {
  double largest_m = 0;  // shift of the place that moves most
  double sigma_m = 0;    // its standard deviation along the shift
  double certainty = 0;  // most standard deviations by which any place is moved
  double blind_m = 0;    // two standard deviations of the middle one of the places; 0: it sees none
};
FloorEffect floor_effect(const Camera& camera, const CameraChange& change,
                         const Eigen::Matrix<double, kChanges, kChanges>& covariance, const VoxelGrid& grid);

}  // namespace vantage
