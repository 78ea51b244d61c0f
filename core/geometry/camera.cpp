#include "core/geometry/camera.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/geometry/dense.h"
#include "core/geometry/lens_inverse.h"

namespace vantage {
namespace {

using RowMajor3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

bool all_finite(const PinholeCamera<double>& m) {
  const double values[] = {m.fx_px, m.fy_px, m.cx_px, m.cy_px};
  const auto finite = [](double v) { return std::isfinite(v); };
  return is_finite(m) && std::all_of(std::begin(values), std::end(values), finite) &&
         std::all_of(std::begin(m.rotation_cam_from_world), std::end(m.rotation_cam_from_world), finite) &&
         std::all_of(std::begin(m.translation_cam_from_world_m), std::end(m.translation_cam_from_world_m),
                     finite);
}

}  // namespace

Result<Camera> Camera::make(std::string name, const PinholeCamera<double>& model) {
  if (!all_finite(model))
    return fail(ErrorKind::bad_data, "the calibration holds a value that is not a finite number", name,
                "Check the calibration file.");
  if (model.width_px <= 0 || model.height_px <= 0)
    return fail(ErrorKind::invalid_argument, "the picture size is not positive", name,
                "Give the size of the camera's pictures.");
  if (!(model.fx_px > 0.0) || !(model.fy_px > 0.0))
    return fail(ErrorKind::bad_data, "the focal length is not positive", name, "Check the calibration file.");
  const Eigen::Matrix3d given = Eigen::Map<const RowMajor3d>(model.rotation_cam_from_world);
  const double skew = (given.transpose() * given - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
  if (skew > 1e-3 || given.determinant() <= 0.0)
    return fail(ErrorKind::bad_data, "the rotation is not orthonormal with determinant +1", name,
                "Check the calibration file and its up-axis.");
  Camera camera;
  camera.name_ = std::move(name);
  camera.model_ = model;
  // The nearest rotation in the least-squares sense. One that is exact already stays as it is to the last
  // bit: a camera that is saved and read again is the same camera, and results computed with it stay valid.
  if (skew > 1e-12) {
    const SingularParts3 parts = singular_parts(given);
    Eigen::Map<RowMajor3d>(camera.model_.rotation_cam_from_world) = parts.u * parts.v.transpose();
  }
  complete_lens(&camera.model_);
  return camera;
}

Camera Camera::reduced(int factor) const {
  Camera camera = *this;
  PinholeCamera<double>& m = camera.model_;
  m.width_px = (m.width_px + factor - 1) / factor;
  m.height_px = (m.height_px + factor - 1) / factor;
  m.fx_px /= factor, m.fy_px /= factor;
  // Pixel (0, 0) is the centre of the first pixel.
  m.cx_px = (m.cx_px + 0.5) / factor - 0.5, m.cy_px = (m.cy_px + 0.5) / factor - 0.5;
  return camera;
}

Eigen::Matrix3d Camera::rotation_cam_from_world() const {
  return Eigen::Map<const RowMajor3d>(model_.rotation_cam_from_world);
}

Eigen::Vector3d Camera::translation_cam_from_world_m() const {
  return Eigen::Map<const Eigen::Vector3d>(model_.translation_cam_from_world_m);
}

Eigen::Isometry3d Camera::cam_from_world() const {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = rotation_cam_from_world();
  pose.translation() = translation_cam_from_world_m();
  return pose;
}

Eigen::Vector3d Camera::center_in_world_m() const {
  return -rotation_cam_from_world().transpose() * translation_cam_from_world_m();
}

Eigen::Matrix3d Camera::intrinsics() const {
  Eigen::Matrix3d k = Eigen::Matrix3d::Identity();
  k(0, 0) = model_.fx_px, k(1, 1) = model_.fy_px;
  k(0, 2) = model_.cx_px, k(1, 2) = model_.cy_px;
  return k;
}

std::optional<Eigen::Vector2d> Camera::project(const Eigen::Vector3d& point_in_world_m) const {
  const Pixel<double> pixel =
      vantage::project(model_, point_in_world_m.x(), point_in_world_m.y(), point_in_world_m.z());
  if (!pixel.in_front) return std::nullopt;
  return Eigen::Vector2d(pixel.x, pixel.y);
}

std::optional<Eigen::Vector2d> Camera::undistort(const Eigen::Vector2d& pixel_px) const {
  return straightened(
      model_, {(pixel_px.x() - model_.cx_px) / model_.fx_px, (pixel_px.y() - model_.cy_px) / model_.fy_px});
}

std::optional<Ray> Camera::ray(const Eigen::Vector2d& pixel_px) const {
  const std::optional<Eigen::Vector2d> normalized = undistort(pixel_px);
  if (!normalized) return std::nullopt;
  const Eigen::Vector3d direction_in_camera(normalized->x(), normalized->y(), 1.0);
  return Ray{center_in_world_m(), (rotation_cam_from_world().transpose() * direction_in_camera).normalized()};
}

bool Camera::sees(const Eigen::Vector3d& point_in_world_m) const {
  const Pixel<double> pixel =
      vantage::project(model_, point_in_world_m.x(), point_in_world_m.y(), point_in_world_m.z());
  return pixel.in_front && pixel.x >= -0.5 && pixel.x < model_.width_px - 0.5 && pixel.y >= -0.5 &&
         pixel.y < model_.height_px - 0.5;
}

std::vector<PinholeCamera<double>> models_of(const std::vector<Camera>& cameras) {
  std::vector<PinholeCamera<double>> models;
  for (const Camera& camera : cameras) models.push_back(camera.model());
  return models;
}

std::optional<Eigen::Vector3d> intersect_horizontal_plane(const Ray& ray, double height_m) {
  const double rise = ray.direction_in_world.z();
  if (std::abs(rise) < 1e-12) return std::nullopt;
  const double distance = (height_m - ray.origin_in_world_m.z()) / rise;
  if (!(distance >= 0.0)) return std::nullopt;
  return Eigen::Vector3d(ray.origin_in_world_m + distance * ray.direction_in_world);
}

}  // namespace vantage
