// A calibrated camera with a name: PinholeCamera in double with Eigen access, projection and rays.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
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

  // The same camera with pictures made smaller as core/image/reduce.h does it.
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

// A grid fitted to what at least `min_cameras` cameras see (0: all of them, at most 4) between the floor and
// height_m: found by testing points every 10 cm within reach of the cameras. Fails when they have no common
// view volume.
Result<VoxelGrid> fit_grid_to_common_view(const std::vector<Camera>& cameras, double voxel_size_m,
                                          double height_m, int min_cameras = 0);

}  // namespace vantage
