// An ellipsoid as one camera sees it: in front of which samples it lies, and at what depth.
//
// With c its centre, A = axes diag(1/r^2) axes^T in camera coordinates and d = (x, y, 1) a sample's
// direction, the surface is at the depth t where (t d - c)^T A (t d - c) = 1. The quadratic's coefficients
// are polynomials in x and y; they are set up in double around the centre's own direction, so that evaluating
// them in float loses nothing.
#pragma once

#include <cmath>

#include "core/synth/camera_view.h"
#include "core/synth/detail/body.h"

namespace vantage::synth {

// a + b u + c v + d u^2 + e u v + f v^2 around the centre's direction.
struct Quadratic {
  float a, b, c, d, e, f;
  float operator()(float u, float v) const { return a + u * (b + d * u + e * v) + v * (c + f * v); }
};

class Silhouette {
 public:
  // Empty for an ellipsoid that reaches behind the camera.
  Silhouette(const Ellipsoid& ellipsoid, const CameraView& view);

  const PixelBox& box() const { return box_; }

  // The depth z of the surface in front of normalised point (x, y); false when the ray misses.
  bool hit(float x, float y, float* depth) const {
    const float u = x - x0_, v = y - y0_;
    const float discriminant = discriminant_(u, v);
    if (!(discriminant > 0)) return false;
    *depth = (linear_(u, v) - std::sqrt(discriminant)) / square_(u, v);
    return true;
  }
  // The unit normal, in camera coordinates, at a point on the surface.
  Eigen::Vector3f normal(const Eigen::Vector3f& point) const {
    return (shape_ * (point - center_)).normalized();
  }
  // The point's coordinate along the third axis, -1 to 1.
  float along(const Eigen::Vector3f& point) const { return along_.dot(point - center_); }

 private:
  PixelBox box_;
  float x0_ = 0, y0_ = 0;
  Quadratic discriminant_{}, linear_{}, square_{};
  Eigen::Matrix3f shape_;  // A
  Eigen::Vector3f center_, along_;
};

}  // namespace vantage::synth
