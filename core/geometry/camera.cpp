#include "core/geometry/camera.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

namespace vantage {
namespace {

using RowMajor3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

constexpr double kNoFold = 1e30;

// The derivative of the distorted by the undistorted radius, as a polynomial of u = r^2.
double radial_derivative(const PinholeCamera<double>& c, double u) {
  return 1.0 + u * (3.0 * c.k1 + u * (5.0 * c.k2 + u * 7.0 * c.k3));
}

// The radii at which radial_derivative() turns: up to two positive ones in ascending order, then kNoFold.
std::array<double, 3> monotone_ends(const PinholeCamera<double>& m) {
  const double a = 21.0 * m.k3, b = 10.0 * m.k2, c = 3.0 * m.k1;  // a u^2 + b u + c = 0
  std::array<double, 3> ends{kNoFold, kNoFold, kNoFold};
  if (a == 0.0) {
    if (b != 0.0 && -c / b > 0.0) ends[0] = -c / b;
  } else if (const double discriminant = b * b - 4.0 * a * c; discriminant > 0.0) {
    const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
    const double roots[2] = {q / a, q != 0.0 ? c / q : 0.0};
    int count = 0;
    for (const double root : roots)
      if (root > 0.0 && root < kNoFold) ends[static_cast<size_t>(count++)] = root;
  }
  std::sort(ends.begin(), ends.end());
  return ends;
}

// The smallest positive u at which the distorted radius stops growing. The derivative is 1 at u = 0 and
// monotone between the ends, so the first end where it is not positive brackets the root.
double max_radius2_of(const PinholeCamera<double>& model) {
  double low = 0.0;
  for (const double end : monotone_ends(model)) {
    if (radial_derivative(model, end) <= 0.0) {
      double high = end;
      for (double middle = 0.5 * (low + high); low < middle && middle < high; middle = 0.5 * (low + high))
        (radial_derivative(model, middle) > 0.0 ? low : high) = middle;
      return low;
    }
    low = end;
  }
  return kNoFold;
}

bool all_finite(const PinholeCamera<double>& m) {
  const double values[] = {m.fx_px, m.fy_px, m.cx_px, m.cy_px, m.k1, m.k2, m.p1, m.p2, m.k3};
  const auto finite = [](double v) { return std::isfinite(v); };
  return std::all_of(std::begin(values), std::end(values), finite) &&
         std::all_of(std::begin(m.rotation_cam_from_world), std::end(m.rotation_cam_from_world), finite) &&
         std::all_of(std::begin(m.translation_cam_from_world_m), std::end(m.translation_cam_from_world_m),
                     finite);
}

// The Jacobian of distort() at (x, y).
Eigen::Matrix2d distortion_jacobian(const PinholeCamera<double>& c, double x, double y) {
  const double r2 = x * x + y * y;
  const double radial = 1.0 + r2 * (c.k1 + r2 * (c.k2 + r2 * c.k3));
  const double slope = c.k1 + r2 * (2.0 * c.k2 + r2 * 3.0 * c.k3);  // d radial / d r2
  Eigen::Matrix2d j;
  j(0, 0) = radial + 2.0 * x * x * slope + 2.0 * c.p1 * y + 6.0 * c.p2 * x;
  j(0, 1) = 2.0 * x * y * slope + 2.0 * c.p1 * x + 2.0 * c.p2 * y;
  j(1, 0) = j(0, 1);
  j(1, 1) = radial + 2.0 * y * y * slope + 6.0 * c.p1 * y + 2.0 * c.p2 * x;
  return j;
}

Eigen::Vector2d distorted(const PinholeCamera<double>& c, const Eigen::Vector2d& p) {
  Eigen::Vector2d d;
  distort(c, p.x(), p.y(), &d.x(), &d.y());
  return d;
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
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(given, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Map<RowMajor3d>(camera.model_.rotation_cam_from_world) = svd.matrixU() * svd.matrixV().transpose();
  }
  camera.model_.max_radius2 = max_radius2_of(model);
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
  constexpr int kMaxSteps = 50;
  const Eigen::Vector2d target((pixel_px.x() - model_.cx_px) / model_.fx_px,
                               (pixel_px.y() - model_.cy_px) / model_.fy_px);
  if (!target.allFinite()) return std::nullopt;
  Eigen::Vector2d p = target;
  if (p.squaredNorm() > model_.max_radius2) p *= 0.99 * std::sqrt(model_.max_radius2 / p.squaredNorm());
  Eigen::Vector2d residual = distorted(model_, p) - target;
  const double tolerance = 1e-12 * std::max(1.0, target.norm());
  for (int step = 0; step < kMaxSteps && residual.norm() > tolerance; ++step) {
    const Eigen::Matrix2d jacobian = distortion_jacobian(model_, p.x(), p.y());
    if (!(std::abs(jacobian.determinant()) > 1e-12)) return std::nullopt;
    const Eigen::Vector2d full_step = jacobian.inverse() * residual;
    // Near the fold a full step can leave the model: halve it until the residual falls.
    double share = 1.0;
    Eigen::Vector2d next = p - full_step, next_residual = distorted(model_, next) - target;
    while (share > 1e-6 &&
           (next.squaredNorm() > model_.max_radius2 || !(next_residual.norm() < residual.norm()))) {
      share *= 0.5;
      next = p - share * full_step;
      next_residual = distorted(model_, next) - target;
    }
    if (!(next_residual.norm() < residual.norm())) return std::nullopt;
    p = next;
    residual = next_residual;
  }
  if (!(residual.norm() <= tolerance) || p.squaredNorm() > model_.max_radius2) return std::nullopt;
  return p;
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

std::optional<Eigen::Vector3d> intersect_horizontal_plane(const Ray& ray, double height_m) {
  const double rise = ray.direction_in_world.z();
  if (std::abs(rise) < 1e-12) return std::nullopt;
  const double distance = (height_m - ray.origin_in_world_m.z()) / rise;
  if (!(distance >= 0.0)) return std::nullopt;
  return Eigen::Vector3d(ray.origin_in_world_m + distance * ray.direction_in_world);
}

}  // namespace vantage
