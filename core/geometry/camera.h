// A calibrated camera with a name: PinholeCamera in double with Eigen access, projection and rays.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/projection.h"
#include "core/geometry/voxel_grid.h"

namespace vantage {

struct Ray {
  Eigen::Vector3d origin_in_world_m;
  Eigen::Vector3d direction_in_world;  // unit length
};

class Camera {
 public:
  Camera() = default;
  // Computes the lens's tilt and max_radius2. Fails on a size or focal length that is not positive, a
  // rotation that is not orthonormal with determinant +1 (to 1e-3; a nearly orthonormal one is made exact),
  // or values that are not finite.
  static Result<Camera> make(std::string name, const PinholeCamera<double>& model);

  // The same camera with pictures made smaller as core/image/picture.h does it.
  Camera reduced(int factor) const;

  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  const PinholeCamera<double>& model() const { return model_; }
  int width_px() const { return model_.width_px; }
  int height_px() const { return model_.height_px; }

  Eigen::Matrix3d rotation_cam_from_world() const;
  Eigen::Vector3d translation_cam_from_world_m() const;
  Eigen::Isometry3d cam_from_world() const;
  Eigen::Vector3d center_in_world_m() const;
  Eigen::Matrix3d intrinsics() const;

  // The pixel of a world point, or nothing when it lies behind the camera or beyond the lens model. May lie
  // outside the picture.
  std::optional<Eigen::Vector2d> project(const Eigen::Vector3d& point_in_world_m) const;
  // Normalised undistorted coordinates of a pixel (core/geometry/lens_inverse.h), to 1e-12; nothing when the
  // pixel has no pre-image within the model.
  std::optional<Eigen::Vector2d> undistort(const Eigen::Vector2d& pixel_px) const;
  std::optional<Ray> ray(const Eigen::Vector2d& pixel_px) const;
  bool sees(const Eigen::Vector3d& point_in_world_m) const;  // projects inside the picture

 private:
  std::string name_;
  PinholeCamera<double> model_;
};

std::vector<PinholeCamera<double>> models_of(const std::vector<Camera>& cameras);

// The point where a ray meets the plane z = height_m; none when it runs parallel or away.
std::optional<Eigen::Vector3d> intersect_horizontal_plane(const Ray& ray, double height_m);

// A grid fitted to the volume that at least `min_cameras` cameras see (0: all of them, at most 4) between the
// floor and height_m; points are tested every 10 cm within reach of the cameras. Fails when they have no
// common view volume.
Result<VoxelGrid> fit_grid_to_common_view(const std::vector<Camera>& cameras, double voxel_size_m,
                                          double height_m, int min_cameras = 0);

// Deviations of a camera from its calibration, and their effect on floor positions.

// Rotation (radians, about the camera's own x, y and z: tilt, pan, roll), shift of the centre (metres, in the
// world), and relative change of the focal length: 0.03 is 3 % longer.
inline constexpr int kChanges = 7;
using CameraChange = Eigen::Matrix<double, kChanges, 1>;

// cam_from_world turned about the camera's axes by a rotation vector (radians).
Eigen::Matrix3d turned(const Eigen::Matrix3d& cam_from_world, const Eigen::Vector3d& turn);

// Nothing if the changed camera is not valid (a focal length of 0).
std::optional<Camera> changed_camera(const Camera& camera, const CameraChange& change);
// The change that turns `from` into `to`.
CameraChange change_between(const Camera& from, const Camera& to);

// True for a camera that was turned about its own centre alone, to a millimetre: then nothing in its pictures
// shifts against its background.
bool only_turned(const Camera& from, const Camera& to);

// Positions on the floor under the grid that the camera sees, kFloorStep_m apart.
inline constexpr double kFloorStep_m = 0.25;
std::vector<Eigen::Vector3d> floor_places(const Camera& camera, const VoxelGrid& grid);

// Apparent shift of a floor position when the camera has changed: the point where the ray of its pixel, by
// the changed camera, meets the floor, less the position. Nothing: the ray no longer meets it.
std::optional<Eigen::Vector2d> floor_shift_m(const Camera& camera, const Camera& changed,
                                             const Eigen::Vector3d& place);

// The effect of a change, known with an uncertainty, on the positions on the floor that the camera sees.
struct FloorEffect {
  double largest_m = 0;  // shift of the position that moves most
  double sigma_m = 0;    // its standard deviation along the shift
  double certainty = 0;  // maximum shift of any position, in standard deviations
  double blind_m = 0;    // two standard deviations, median of the positions; 0: it sees none
};
FloorEffect floor_effect(const Camera& camera, const CameraChange& change,
                         const Eigen::Matrix<double, kChanges, kChanges>& covariance, const VoxelGrid& grid);

// A camera with another pose from some instant of a recording on, as after a person knocked against it.

struct LaterCalibration {
  int64_t from_frame = 0;  // the first frame set (the base camera's frame) for which it applies; above 0
  Camera camera;
};

// A camera's calibration at a frame set; `later` in the order of time. Null: it is not calibrated.
inline const Camera* calibration_at(const std::optional<Camera>& first,
                                    const std::vector<LaterCalibration>& later, int64_t frame) {
  const Camera* at = first ? &*first : nullptr;
  for (const LaterCalibration& one : later)
    if (one.from_frame <= frame) at = &one.camera;
  return at;
}

// A change of the world that no picture shows: scaled, turned and moved.

// after = scale * rotation * before + translation_m; scale > 0, rotation a proper one.
struct WorldChange {
  double scale = 1;
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d translation_m = Eigen::Vector3d::Zero();

  Eigen::Vector3d operator()(const Eigen::Vector3d& before_m) const {
    return scale * (rotation * before_m) + translation_m;
  }
  // This one, then `next`.
  WorldChange then(const WorldChange& next) const;
};

// The camera in the changed world: it shows every point of the scene at the same pixel.
Camera in_changed_world(const Camera& camera, const WorldChange& change);

}  // namespace vantage
