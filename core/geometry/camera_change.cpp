#include "core/geometry/camera_change.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/quantile.h"

namespace vantage {

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
      if (const auto by = floor_shift_m(camera, nearby[static_cast<size_t>(p)], place))
        slope.col(p) = *by / kLittle;
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

}  // namespace vantage
