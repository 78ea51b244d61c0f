#include "core/calibration/solve/measure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/calibration/solve/points_solve.h"
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

// Where a camera was solved, and how the value follows it.
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

}  // namespace vantage
