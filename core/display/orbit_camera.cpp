#include "core/display/orbit_camera.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace vantage {
namespace {

constexpr double kOrbitPerPixel = 0.006;

}  // namespace

SceneProjection::Pixel SceneProjection::pixel(const Eigen::Vector3d& in_view_m) const {
  const double px_per_m = parallel_ ? scale_px_ : scale_px_ / in_view_m.z();
  return {middle_px_ + px_per_m * in_view_m.head<2>(), depth_at(in_view_m.z()), px_per_m};
}

SceneProjection::Sight SceneProjection::sight(double x_px, double y_px) const {
  const Eigen::Vector2d at = (Eigen::Vector2d(x_px, y_px) - middle_px_) / scale_px_;
  if (parallel_)
    return {eye_m_ + axes_.transpose() * Eigen::Vector3d(at.x(), at.y(), 0), axes_.row(2).transpose()};
  return {eye_m_, axes_.transpose() * Eigen::Vector3d(at.x(), at.y(), 1)};
}

void OrbitCamera::frame(const Eigen::Vector3d& low_m, const Eigen::Vector3d& high_m) {
  target_m_ = (low_m + high_m) / 2;
  target_m_.z() = low_m.z() + 0.15 * (high_m.z() - low_m.z());  // most of what is seen is floor
  extent_m_ = std::max(0.5, (high_m - low_m).norm());
  distance_m_ = extent_m_ / 2 / std::sin(kViewAngle_rad / 2) * 0.92;
  azimuth_ = kStartAzimuth_rad;
  elevation_ = kStartElevation_rad;
}

Eigen::Vector3d OrbitCamera::direction() const {
  if (top_) return {0, 0, 1};
  return {std::cos(elevation_) * std::cos(azimuth_), std::cos(elevation_) * std::sin(azimuth_),
          std::sin(elevation_)};
}

Eigen::Vector3d OrbitCamera::up() const {
  return top_ ? Eigen::Vector3d(0, 1, 0) : Eigen::Vector3d(0, 0, 1);
}

void OrbitCamera::orbit(double dx_px, double dy_px) {
  if (!top_) look_from(azimuth_ - dx_px * kOrbitPerPixel, elevation_ + dy_px * kOrbitPerPixel);
}

void OrbitCamera::look_from(double azimuth_rad, double elevation_rad) {
  azimuth_ = azimuth_rad;
  elevation_ = std::clamp(elevation_rad, kLowest_rad, kHighest_rad);
}

void OrbitCamera::pan(double dx_px, double dy_px, double height_px) {
  const double metres = 2 * half_height_m(1) / std::max(1.0, height_px);
  const Eigen::Vector3d right = up().cross(direction()).normalized();
  const Eigen::Vector3d above = direction().cross(right);
  target_m_ += metres * (-dx_px * right + dy_px * above);
}

void OrbitCamera::zoom(double factor) {
  distance_m_ = std::clamp(distance_m_ / factor, extent_m_ / 100, extent_m_ * 10);
}

// A view narrower than high shows as much sideways as a square one would.
double OrbitCamera::room(double aspect) const {
  return aspect < 1 ? 1 / std::max(aspect, 0.1) : 1;
}

double OrbitCamera::half_height_m(double aspect) const {
  return distance_m_ * std::tan(kViewAngle_rad / 2) * room(aspect);
}

double OrbitCamera::pixels_per_metre(double width_px, double height_px) const {
  return height_px / (2 * half_height_m(width_px / std::max(1.0, height_px)));
}

Eigen::Vector3d OrbitCamera::eye_m(double aspect) const {
  return target_m_ + direction() * distance_m_ * (top_ ? 1 : room(aspect));
}

SceneProjection OrbitCamera::projection(double width_px, double height_px) const {
  SceneProjection view;
  const Eigen::Vector3d ahead = -direction(), right = up().cross(direction()).normalized();
  view.axes_.row(0) = right, view.axes_.row(1) = ahead.cross(right), view.axes_.row(2) = ahead;
  view.eye_m_ = eye_m(width_px / std::max(1.0, height_px));
  view.middle_px_ = {width_px / 2, height_px / 2};
  view.parallel_ = top_;
  view.scale_px_ =
      top_ ? pixels_per_metre(width_px, height_px) : height_px / 2 / std::tan(kViewAngle_rad / 2);
  return view;
}

}  // namespace vantage
