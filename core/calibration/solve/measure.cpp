#include "core/calibration/solve/measure.h"

#include <fmt/core.h>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/quantile.h"
#include "core/calibration/solve/points_solve.h"
#include "core/calibration/solve/world_from_points.h"
#include "core/geometry/ray_axis.h"

namespace vantage {
namespace {

using Clicks = std::span<const MeasureClick>;
using Cameras = std::span<const Camera>;

const Camera* camera_of(const MeasureClick& click, Cameras cameras) {
  const auto found = std::find_if(cameras.begin(), cameras.end(),
                                  [&](const Camera& one) { return one.name() == click.camera; });
  return found == cameras.end() ? nullptr : &*found;
}

std::optional<Eigen::Vector3d> on_floor(const MeasureClick& click, const std::optional<Ray>& ray) {
  if (click.camera.empty()) return Eigen::Vector3d(click.at.x(), click.at.y(), 0);
  return ray ? intersect_horizontal_plane(*ray, 0) : std::nullopt;
}

std::optional<Eigen::Vector3d> above(const Eigen::Vector3d& foot, const std::optional<Ray>& ray) {
  const auto height_m = ray ? nearest_on_axis(foot, Eigen::Vector3d::UnitZ(), *ray) : std::nullopt;
  if (!height_m) return std::nullopt;
  return foot + *height_m * Eigen::Vector3d::UnitZ();
}

std::optional<std::vector<Eigen::Vector3d>> points_of(MeasureKind kind, Clicks clicks, Cameras cameras) {
  std::vector<Eigen::Vector3d> points;
  for (const MeasureClick& click : clicks) {
    const Camera* camera = camera_of(click, cameras);
    const std::optional<Ray> ray = camera ? camera->ray(click.at) : std::nullopt;
    const bool raised = kind == MeasureKind::height && !points.empty();
    const auto point = raised ? above(points.front(), ray) : on_floor(click, ray);
    if (!point) return std::nullopt;
    points.push_back(*point);
  }
  return points;
}

std::optional<double> value_of(MeasureKind kind, const std::vector<Eigen::Vector3d>& points) {
  constexpr double kMinArm_m = 1e-6;
  if (points.size() < clicks_of(kind)) return std::nullopt;
  const Eigen::Vector3d first = points[0] - points[1];
  if (kind == MeasureKind::height) return -first.z();
  if (kind == MeasureKind::distance) return first.norm();
  const Eigen::Vector3d second = points[2] - points[1];
  if (first.norm() < kMinArm_m || second.norm() < kMinArm_m) return std::nullopt;
  return std::atan2(first.cross(second).norm(), first.dot(second)) * 180 / std::numbers::pi;
}

std::optional<double> value_at(MeasureKind kind, Clicks clicks, Cameras cameras) {
  const auto points = points_of(kind, clicks, cameras);
  return points ? value_of(kind, *points) : std::nullopt;
}

// Slope of the value by a click's pixel, in both directions.
std::optional<Eigen::Vector2d> by_pixel(MeasureKind kind, Clicks clicks, size_t click, Cameras cameras) {
  constexpr double kStep_px = 0.05;
  Eigen::Vector2d slope;
  for (int axis = 0; axis < 2; ++axis) {
    std::vector<MeasureClick> low(clicks.begin(), clicks.end()), high = low;
    low[click].at[axis] -= kStep_px, high[click].at[axis] += kStep_px;
    const auto a = value_at(kind, low, cameras), b = value_at(kind, high, cameras);
    if (!a || !b) return std::nullopt;
    slope[axis] = (*b - *a) / (2 * kStep_px);
  }
  return slope;
}

// Slope of the value by a camera's values; 0 by those that are exact.
std::optional<CameraValues> by_values(MeasureKind kind, Clicks clicks, size_t camera,
                                      const CameraCovariance& covariance, Cameras cameras) {
  CameraValues slope = CameraValues::Zero();
  std::vector<Camera> near(cameras.begin(), cameras.end());
  const auto value_off = [&](int value, double step) -> std::optional<double> {
    const auto moved = camera_with(cameras[camera], step * CameraValues::Unit(value));
    if (!moved) return std::nullopt;
    near[camera] = *moved;
    return value_at(kind, clicks, near);
  };
  for (int v = 0; v < kCameraValues; ++v) {
    if (!(covariance(v, v) > 0)) continue;
    const double step = small_step(v);
    const auto less = value_off(v, -step), more = value_off(v, step);
    if (!less || !more) return std::nullopt;
    slope[v] = (*more - *less) / (2 * step);
  }
  return slope;
}

// A camera's solution, and the value's slope by it.
struct Influence {
  const SolvedTogether* solved;
  Eigen::Index first;  // of its values in the covariance
  CameraValues slope;
};

std::optional<Influence> influence_of(MeasureKind kind, Clicks clicks, size_t camera, Cameras cameras,
                                      std::span<const SolvedTogether> solved) {
  for (const SolvedTogether& together : solved) {
    const auto index = index_of(together, cameras[camera]);
    if (!index) continue;
    const auto slope = by_values(kind, clicks, camera, together.of(*index), cameras);
    if (!slope) return std::nullopt;
    return Influence{&together, static_cast<Eigen::Index>(*index) * kCameraValues, *slope};
  }
  return std::nullopt;
}

std::optional<double> std_of(MeasureKind kind, Clicks clicks, Cameras cameras,
                             std::span<const SolvedTogether> solved) {
  double variance = 0;
  for (size_t i = 0; i < clicks.size(); ++i) {
    if (!camera_of(clicks[i], cameras)) return std::nullopt;
    const auto slope = by_pixel(kind, clicks, i, cameras);
    if (!slope) return std::nullopt;
    variance += kExpectedClick_px * kExpectedClick_px * slope->squaredNorm();
  }
  std::vector<Influence> influences;
  for (size_t c = 0; c < cameras.size(); ++c) {
    const bool used = std::any_of(clicks.begin(), clicks.end(), [&](const MeasureClick& click) {
      return click.camera == cameras[c].name();
    });
    if (!used) continue;
    const auto influence = influence_of(kind, clicks, c, cameras, solved);
    if (!influence) return std::nullopt;
    influences.push_back(*influence);
  }
  for (const Influence& a : influences)
    for (const Influence& b : influences)
      if (a.solved == b.solved)
        variance +=
            a.slope.dot(a.solved->covariance.block<kCameraValues, kCameraValues>(a.first, b.first) * b.slope);
  return std::sqrt(std::max(0.0, variance));
}

}  // namespace

std::optional<Measured> measured(MeasureKind kind, Clicks clicks, Cameras cameras,
                                 std::span<const SolvedTogether> solved) {
  const auto points = points_of(kind, clicks, cameras);
  if (!points) return std::nullopt;
  Measured result{*points, value_of(kind, *points), {}};
  if (result.value) result.std = std_of(kind, clicks, cameras, solved);
  return result;
}

namespace {

constexpr double kLittle_m = 1e-4;

// A camera, with cameras a small step away for slopes.
struct Slopes {
  const UncertainCamera* camera;
  std::vector<std::pair<int, Camera>> nearby;  // by value; those that are exact are left out
};

std::vector<Slopes> slopes_of(const std::vector<UncertainCamera>& cameras) {
  std::vector<Slopes> all;
  for (const UncertainCamera& camera : cameras) {
    Slopes slopes{&camera, {}};
    for (int v = 0; v < kCameraValues; ++v)
      if (camera.covariance(v, v) > 0)
        slopes.nearby.emplace_back(
            v, camera_with(camera.camera, small_step(v) * CameraValues::Unit(v)).value_or(camera.camera));
    all.push_back(std::move(slopes));
  }
  return all;
}

// Adds the camera's information about the point: J' inv(N) J. False where it does not see it.
bool add_information(const Slopes& slopes, const Eigen::Vector3d& place, Eigen::Matrix3d* information) {
  const Camera& camera = slopes.camera->camera;
  if (!camera.sees(place)) return false;
  const auto at = camera.project(place);
  Eigen::Matrix<double, 2, 3> by_place;
  for (int axis = 0; axis < 3; ++axis) {
    const auto above = camera.project(place + kLittle_m * Eigen::Vector3d::Unit(axis)),
               below = camera.project(place - kLittle_m * Eigen::Vector3d::Unit(axis));
    if (!at || !above || !below) return false;
    by_place.col(axis) = (*above - *below) / (2 * kLittle_m);
  }
  Eigen::Matrix2d noise = slopes.camera->sigma_px * slopes.camera->sigma_px * Eigen::Matrix2d::Identity();
  if (!slopes.nearby.empty()) {
    Eigen::Matrix<double, 2, kCameraValues> by_value;
    by_value.setZero();
    for (const auto& [value, near] : slopes.nearby) {
      const auto there = near.project(place);
      if (!there) return false;
      by_value.col(value) = (*there - *at) / small_step(value);
    }
    noise += by_value * slopes.camera->covariance * by_value.transpose();
  }
  *information += by_place.transpose() * noise.inverse() * by_place;
  return true;
}

std::optional<double> error_m(const std::vector<Slopes>& cameras, const Eigen::Vector3d& place) {
  Eigen::Matrix3d information = Eigen::Matrix3d::Zero();
  int seen = 0;
  for (const Slopes& camera : cameras) seen += add_information(camera, place, &information) ? 1 : 0;
  if (seen < 2) return {};
  const Eigen::Matrix3d covariance = information.inverse();
  const double variance = covariance(0, 0) + covariance(1, 1);
  if (!(variance >= 0) || !std::isfinite(variance)) return {};
  return std::sqrt(variance);
}

}  // namespace

std::optional<double> place_error_m(const std::vector<UncertainCamera>& cameras,
                                    const Eigen::Vector3d& place) {
  return error_m(slopes_of(cameras), place);
}

Result<FloorErrorMap> floor_error(const std::vector<UncertainCamera>& cameras, const VoxelGrid& grid,
                                  double height_m, const StopSource& stop) {
  FloorErrorMap map;
  map.x_m = grid.origin_in_world_m[0], map.y_m = grid.origin_in_world_m[1];
  map.columns = std::max(1, static_cast<int>(std::ceil(grid.nx * grid.voxel_size_m / map.step_m - 1e-9)));
  map.rows = std::max(1, static_cast<int>(std::ceil(grid.ny * grid.voxel_size_m / map.step_m - 1e-9)));
  const std::vector<Slopes> slopes = slopes_of(cameras);
  std::vector<double> known;
  for (int row = 0; row < map.rows; ++row) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    for (int column = 0; column < map.columns; ++column) {
      map.error_m.push_back(error_m(
          slopes, {map.x_m + (column + 0.5) * map.step_m, map.y_m + (row + 0.5) * map.step_m, height_m}));
      if (map.error_m.back()) known.push_back(*map.error_m.back());
    }
  }
  map.covered_share = static_cast<double>(known.size()) / static_cast<double>(map.error_m.size());
  if (known.empty()) return map;
  map.max_m = *std::max_element(known.begin(), known.end());
  map.median_m = upper_median(std::move(known));
  return map;
}

namespace {

std::optional<double> difference_px(const Camera& first, const Camera& second, const Eigen::Vector2d& pixel) {
  const auto ray = first.ray(pixel);
  if (!ray) return {};
  const auto floor = intersect_horizontal_plane(*ray, 0);
  const Eigen::Vector3d point =
      floor ? *floor
            : Eigen::Vector3d(ray->origin_in_world_m + kComparedDistance_m * ray->direction_in_world);
  const auto there = second.project(point);
  if (!there) return {};
  return (*there - pixel).norm();
}

}  // namespace

Result<CameraComparison> compare_cameras(const Camera& first, const Camera& second, const VoxelGrid* grid) {
  if (first.width_px() != second.width_px() || first.height_px() != second.height_px())
    return fail(ErrorKind::invalid_argument,
                fmt::format("one calibration is for pictures of {}x{}, the other for {}x{}", first.width_px(),
                            first.height_px(), second.width_px(), second.height_px()),
                first.name(), "Compare calibrations of one picture size.");
  CameraComparison found;
  found.change = change_between(first, second);
  found.turned_deg = found.change.head<3>().norm() * 180 / M_PI;
  found.moved_m = found.change.segment<3>(3).norm();
  found.focal_share = found.change[6];
  double sum = 0;
  int count = 0;
  for (int row = 0; row < kComparedRows; ++row)
    for (int column = 0; column < kComparedColumns; ++column) {
      const Eigen::Vector2d pixel((column + 0.5) * first.width_px() / kComparedColumns - 0.5,
                                  (row + 0.5) * first.height_px() / kComparedRows - 0.5);
      found.picture_px.push_back(difference_px(first, second, pixel));
      if (!found.picture_px.back()) continue;
      sum += *found.picture_px.back() * *found.picture_px.back(), ++count;
      found.max_px = std::max(found.max_px, *found.picture_px.back());
    }
  if (count > 0) found.rms_px = std::sqrt(sum / count);
  if (!grid) return found;
  std::vector<double> sizes;
  for (const Eigen::Vector3d& place : floor_places(first, *grid))
    if (const auto shift = floor_shift_m(first, second, place)) {
      found.floor.push_back({place.head<2>(), *shift});
      sizes.push_back(shift->norm());
      found.max_m = std::max(found.max_m, sizes.back());
    }
  if (!sizes.empty()) found.median_m = upper_median(std::move(sizes));
  return found;
}

Result<WorldChange> align_cameras(const std::vector<Camera>& first, const std::vector<Camera>& second) {
  std::vector<KnownPlace> places;
  for (const Camera& camera : first)
    for (const Camera& other : second)
      if (other.name() == camera.name())
        places.push_back({camera.center_in_world_m(), other.center_in_world_m()});
  VANTAGE_ASSIGN(const WorldFit fit, align_world(places));
  return fit.change;
}

}  // namespace vantage
