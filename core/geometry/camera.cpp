#include "core/geometry/camera.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/quantile.h"
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
  if (skew <= 1e-3 && given.determinant() < 0.0)
    return fail(
        ErrorKind::bad_data, "the rotation mirrors: its determinant is -1, not +1", name,
        "The calibration's world, or its camera's axes, are left-handed: tick mirrored in New Project, "
        "or give --mirror to vantage-cli new.");
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

Eigen::Matrix3d turned(const Eigen::Matrix3d& cam_from_world, const Eigen::Vector3d& turn) {
  const double angle = turn.norm();
  if (angle == 0) return cam_from_world;
  return Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() * cam_from_world;
}

std::optional<Camera> changed_camera(const Camera& camera, const CameraChange& change) {
  PinholeCamera<double> model = camera.model();
  const Eigen::Matrix3d rotation = turned(camera.rotation_cam_from_world(), change.head<3>());
  const Eigen::Vector3d translation = -rotation * (camera.center_in_world_m() + change.segment<3>(3));
  for (int row = 0; row < 3; ++row) {
    model.translation_cam_from_world_m[row] = translation[row];
    for (int column = 0; column < 3; ++column)
      model.rotation_cam_from_world[3 * row + column] = rotation(row, column);
  }
  model.fx_px *= 1 + change[6], model.fy_px *= 1 + change[6];
  const Result<Camera> made = Camera::make(camera.name(), model);
  return made ? std::optional(*made) : std::nullopt;
}

bool only_turned(const Camera& from, const Camera& to) {
  constexpr double kSameCenter_m = 0.001;
  return (from.center_in_world_m() - to.center_in_world_m()).norm() <= kSameCenter_m;
}

CameraChange change_between(const Camera& from, const Camera& to) {
  CameraChange change;
  const Eigen::AngleAxisd turn(
      Eigen::Matrix3d(to.rotation_cam_from_world() * from.rotation_cam_from_world().transpose()));
  change.head<3>() = turn.angle() * turn.axis();
  change.segment<3>(3) = to.center_in_world_m() - from.center_in_world_m();
  change[6] = to.model().fx_px / from.model().fx_px - 1;
  return change;
}

std::vector<Eigen::Vector3d> floor_places(const Camera& camera, const VoxelGrid& grid) {
  std::vector<Eigen::Vector3d> places;
  const double width_m = grid.nx * grid.voxel_size_m, depth_m = grid.ny * grid.voxel_size_m;
  for (double y = 0.5 * kFloorStep_m; y < depth_m; y += kFloorStep_m)
    for (double x = 0.5 * kFloorStep_m; x < width_m; x += kFloorStep_m) {
      const Eigen::Vector3d place(grid.origin_in_world_m[0] + x, grid.origin_in_world_m[1] + y, 0);
      if (camera.sees(place)) places.push_back(place);
    }
  return places;
}

std::optional<Eigen::Vector2d> floor_shift_m(const Camera& camera, const Camera& changed,
                                             const Eigen::Vector3d& place) {
  const auto pixel = camera.project(place);
  const auto ray = pixel ? changed.ray(*pixel) : std::nullopt;
  const auto met = ray ? intersect_horizontal_plane(*ray, place.z()) : std::nullopt;
  if (!met) return std::nullopt;
  return Eigen::Vector2d(met->x() - place.x(), met->y() - place.y());
}

FloorEffect floor_effect(const Camera& camera, const CameraChange& change,
                         const Eigen::Matrix<double, kChanges, kChanges>& covariance, const VoxelGrid& grid) {
  constexpr double kLittle = 1e-3;
  FloorEffect effect;
  const auto changed = changed_camera(camera, change);
  std::vector<Camera> nearby;
  for (int p = 0; p < kChanges; ++p)
    if (const auto near = changed_camera(camera, kLittle * CameraChange::Unit(p))) nearby.push_back(*near);
  if (!changed || nearby.size() < kChanges) return effect;
  std::vector<double> deviations;
  for (const Eigen::Vector3d& place : floor_places(camera, grid)) {
    Eigen::Matrix<double, 2, kChanges> slope;
    slope.setZero();
    for (int p = 0; p < kChanges; ++p)
      if (const auto by = floor_shift_m(camera, nearby[p], place)) slope.col(p) = *by / kLittle;
    const Eigen::Matrix2d spread = slope * covariance * slope.transpose();
    deviations.push_back(std::sqrt(spread.trace()));
    const auto shift = floor_shift_m(camera, *changed, place);
    if (!shift || shift->norm() == 0) continue;
    const Eigen::Vector2d along = shift->normalized();
    const double sigma_m = std::sqrt(std::max(0.0, along.dot(spread * along)));
    if (sigma_m > 0) effect.certainty = std::max(effect.certainty, shift->norm() / sigma_m);
    if (shift->norm() > effect.largest_m) effect.largest_m = shift->norm(), effect.sigma_m = sigma_m;
  }
  if (deviations.empty()) return effect;
  effect.blind_m = 2 * upper_median(std::move(deviations));
  return effect;
}

WorldChange WorldChange::then(const WorldChange& next) const {
  return {next.scale * scale, next.rotation * rotation, next(translation_m)};
}

Camera in_changed_world(const Camera& camera, const WorldChange& change) {
  PinholeCamera<double> model = camera.model();
  const Eigen::Matrix3d rotation = camera.rotation_cam_from_world() * change.rotation.transpose();
  const Eigen::Vector3d translation = -rotation * change(camera.center_in_world_m());
  for (int row = 0; row < 3; ++row) {
    model.translation_cam_from_world_m[row] = translation[row];
    for (int column = 0; column < 3; ++column)
      model.rotation_cam_from_world[3 * row + column] = rotation(row, column);
  }
  return Camera::make(camera.name(), model).value_or(camera);
}

}  // namespace vantage
