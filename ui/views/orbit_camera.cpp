#include "ui/views/orbit_camera.h"

#include <vtkCamera.h>
#include <vtkMatrix4x4.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace vantage::ui {
namespace {

constexpr double kViewAngle = 35 * std::numbers::pi / 180;
constexpr double kOrbitPerPixel = 0.006;

}  // namespace

QMatrix4x4 clip_from_world(vtkCamera& camera, double aspect) {
  const vtkMatrix4x4* matrix = camera.GetCompositeProjectionTransformMatrix(aspect, -1, 1);
  QMatrix4x4 out;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column)
      out(row, column) = static_cast<float>(matrix->GetElement(row, column));
  return out;
}

void OrbitCamera::frame(const Eigen::Vector3d& low_m, const Eigen::Vector3d& high_m) {
  target_m_ = (low_m + high_m) / 2;
  target_m_.z() = low_m.z() + 0.15 * (high_m.z() - low_m.z());  // most of what is seen is floor
  extent_m_ = std::max(0.5, (high_m - low_m).norm());
  distance_m_ = extent_m_ / 2 / std::sin(kViewAngle / 2) * 0.92;
  azimuth_ = -1.0;
  elevation_ = 0.5;
}

Eigen::Vector3d OrbitCamera::direction() const {
  if (top_) return {0, 0, 1};
  return {std::cos(elevation_) * std::cos(azimuth_), std::cos(elevation_) * std::sin(azimuth_),
          std::sin(elevation_)};
}

Eigen::Vector3d OrbitCamera::up() const {
  return top_ ? Eigen::Vector3d(0, 1, 0) : Eigen::Vector3d(0, 0, 1);
}

double OrbitCamera::half_height_m() const {
  return distance_m_ * std::tan(kViewAngle / 2);
}

void OrbitCamera::orbit(double dx_px, double dy_px) {
  if (top_) return;
  azimuth_ -= dx_px * kOrbitPerPixel;
  elevation_ = std::clamp(elevation_ + dy_px * kOrbitPerPixel, -0.2, 1.55);
}

void OrbitCamera::pan(double dx_px, double dy_px, double height_px) {
  const double metres = 2 * half_height_m() / std::max(1.0, height_px);
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

double OrbitCamera::pixels_per_metre(double width_px, double height_px) const {
  return height_px / (2 * half_height_m() * room(width_px / std::max(1.0, height_px)));
}

void OrbitCamera::apply(vtkCamera& camera, double aspect) const {
  const Eigen::Vector3d eye = target_m_ + direction() * distance_m_ * (top_ ? 1 : room(aspect));
  camera.SetPosition(eye.x(), eye.y(), eye.z());
  camera.SetFocalPoint(target_m_.x(), target_m_.y(), target_m_.z());
  camera.SetViewUp(up().x(), up().y(), up().z());
  camera.SetParallelProjection(top_);
  camera.SetParallelScale(half_height_m() * room(aspect));
  camera.SetViewAngle(kViewAngle * 180 / std::numbers::pi);
}

}  // namespace vantage::ui
