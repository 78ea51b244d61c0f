#include "core/calibrate/measure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/calibrate/points_solve.h"
#include "core/geometry/ray_axis.h"

namespace vantage {
namespace {

using Clicks = std::span<const MeasureClick>;
using Cameras = std::span<const RulerCamera>;

const RulerCamera* camera_of(const MeasureClick& click, Cameras cameras) {
  const auto found = std::find_if(cameras.begin(), cameras.end(),
                                  [&](const RulerCamera& one) { return one.camera.name() == click.camera; });
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
    const RulerCamera* camera = camera_of(click, cameras);
    const std::optional<Ray> ray = camera ? camera->camera.ray(click.at) : std::nullopt;
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

// Slope of the value by a camera's change.
std::optional<CameraChange> by_change(MeasureKind kind, Clicks clicks, size_t camera, Cameras cameras) {
  constexpr double kStep = 1e-5;
  CameraChange slope;
  for (int p = 0; p < kChanges; ++p) {
    std::vector<RulerCamera> low(cameras.begin(), cameras.end()), high = low;
    const auto less = changed_camera(low[camera].camera, -kStep * CameraChange::Unit(p)),
               more = changed_camera(high[camera].camera, kStep * CameraChange::Unit(p));
    if (!less || !more) return std::nullopt;
    low[camera].camera = *less, high[camera].camera = *more;
    const auto a = value_at(kind, clicks, low), b = value_at(kind, clicks, high);
    if (!a || !b) return std::nullopt;
    slope[p] = (*b - *a) / (2 * kStep);
  }
  return slope;
}

std::optional<double> std_of(MeasureKind kind, Clicks clicks, Cameras cameras) {
  double variance = 0;
  for (size_t i = 0; i < clicks.size(); ++i) {
    const RulerCamera* camera = camera_of(clicks[i], cameras);
    if (!camera || !camera->covariance) return std::nullopt;
    const auto slope = by_pixel(kind, clicks, i, cameras);
    if (!slope) return std::nullopt;
    variance += kExpectedClick_px * kExpectedClick_px * slope->squaredNorm();
  }
  for (size_t c = 0; c < cameras.size(); ++c) {
    const bool used = std::any_of(clicks.begin(), clicks.end(), [&](const MeasureClick& click) {
      return click.camera == cameras[c].camera.name();
    });
    const auto slope = used ? by_change(kind, clicks, c, cameras) : CameraChange(CameraChange::Zero());
    if (!slope) return std::nullopt;
    if (used) variance += slope->dot(*cameras[c].covariance * *slope);
  }
  return std::sqrt(variance);
}

}  // namespace

std::optional<Measured> measured(MeasureKind kind, Clicks clicks, Cameras cameras) {
  const auto points = points_of(kind, clicks, cameras);
  if (!points) return std::nullopt;
  Measured result{*points, value_of(kind, *points), {}};
  if (result.value) result.std = std_of(kind, clicks, cameras);
  return result;
}

}  // namespace vantage
