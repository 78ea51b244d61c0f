#include "core/synth/detail/silhouette.h"

namespace vantage::synth {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

// d^T M d for d = d0 + (u, v, 0).
Quadratic expand(const Matrix3d& m, const Vector3d& d0) {
  const Vector3d md = m * d0;
  return {static_cast<float>(d0.dot(md)), static_cast<float>(2 * md.x()),  static_cast<float>(2 * md.y()),
          static_cast<float>(m(0, 0)),    static_cast<float>(2 * m(0, 1)), static_cast<float>(m(1, 1))};
}

// Border points of the outline's bounding rectangle, from the dual conic A^-1 - c c^T (R. Hartley, A.
// Zisserman, "Multiple View Geometry", 2004, section 8.3).
std::vector<Vector2d> outline_rectangle(const Matrix3d& inverse_shape, const Vector3d& center) {
  const Matrix3d dual = inverse_shape - center * center.transpose();
  double low[2], high[2];
  for (int axis = 0; axis < 2; ++axis) {
    const double root = std::sqrt(dual(axis, 2) * dual(axis, 2) - dual(axis, axis) * dual(2, 2));
    low[axis] = (dual(axis, 2) + root) / dual(2, 2);
    high[axis] = (dual(axis, 2) - root) / dual(2, 2);
  }
  std::vector<Vector2d> points;
  for (int i = 0; i <= 2; ++i)
    for (int k = 0; k <= 2; ++k)
      points.emplace_back(low[0] + (high[0] - low[0]) * i / 2, low[1] + (high[1] - low[1]) * k / 2);
  return points;
}

}  // namespace

Silhouette::Silhouette(const Ellipsoid& ellipsoid, const CameraView& view) {
  const Matrix3d rotation = view.camera().rotation_cam_from_world();
  const Vector3d center = view.camera().cam_from_world() * ellipsoid.center_in_world_m;
  const Matrix3d axes = rotation * ellipsoid.axes;
  const Vector3d radii2 = ellipsoid.radii_m.cwiseAbs2();
  if (center.z() - ellipsoid.radii_m.maxCoeff() < 0.05) return;
  const Matrix3d shape = axes * radii2.cwiseInverse().asDiagonal() * axes.transpose();
  const Matrix3d inverse_shape = axes * radii2.asDiagonal() * axes.transpose();
  const Vector3d d0 = center / center.z(), shaped_center = shape * center;
  x0_ = static_cast<float>(d0.x()), y0_ = static_cast<float>(d0.y());
  square_ = expand(shape, d0);
  linear_ = {static_cast<float>(shaped_center.dot(d0)),
             static_cast<float>(shaped_center.x()),
             static_cast<float>(shaped_center.y()),
             0,
             0,
             0};
  const Matrix3d conic = shaped_center * shaped_center.transpose() - (center.dot(shaped_center) - 1) * shape;
  discriminant_ = expand(conic, d0);
  shape_ = shape.cast<float>();
  center_ = center.cast<float>();
  along_ = (axes.col(2) / ellipsoid.radii_m.z()).cast<float>();
  box_ = view.box_around(outline_rectangle(inverse_shape, center), 1.5);
}

}  // namespace vantage::synth
