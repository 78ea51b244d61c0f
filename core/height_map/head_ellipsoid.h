// The shape that heads are taken for: an upright ellipsoid, taller than wide, longer than wide by a little.
// Inside core/height_map only.
#pragma once

#include <array>
#include <cmath>

#include "core/geometry/projection.h"

namespace vantage::height_map {

// The vertical half axis in radii, and how much longer than wide a head is.
inline constexpr float kTall = 1.25f, kElongation = 1.06f;

struct HeadEllipsoid {
  float x = 0, y = 0, z = 0, radius = 0;  // m
  float yaw = 0;                          // of the long axis, from x towards y
  float elongation = 1;  // the horizontal half axes are radius times it and radius divided by it
};

using Vector3 = std::array<float, 3>;

// Into the space in which the ellipsoid is a sphere of its radius.
class Rounding {
 public:
  explicit Rounding(const HeadEllipsoid& shape)
      : c_(std::cos(shape.yaw)),
        s_(std::sin(shape.yaw)),
        along_(1 / shape.elongation),
        aside_(shape.elongation) {}

  Vector3 operator()(float x, float y, float z) const {
    return {(c_ * x + s_ * y) * along_, (c_ * y - s_ * x) * aside_, z * kUpright};
  }
  Vector3 transposed(const Vector3& v) const {
    const float x = v[0] * along_, y = v[1] * aside_;
    return {c_ * x - s_ * y, s_ * x + c_ * y, v[2] * kUpright};
  }

 private:
  static constexpr float kUpright = 1 / kTall;
  float c_, s_, along_, aside_;
};

// An ellipse in a picture: middle + p cos t + q sin t, px.
struct OutlineEllipse {
  float x, y;
  float px, py, qx, qy;

  // How far it reaches from its middle.
  float reach_x() const { return std::sqrt(px * px + qx * qx); }
  float reach_y() const { return std::sqrt(py * py + qy * qy); }
};

// The outline of the ellipsoid: where rays from the camera, which is at `eye_m`, touch it. The cone that they
// form cuts the normalised picture in an ellipse; through the lens it stays one to within a hundredth of a
// pixel where heads are 50 pixels wide. False where it is not in front of the camera.
bool outline_of(const PinholeCamera<float>& camera, const float* eye_m, const HeadEllipsoid& shape,
                OutlineEllipse& outline);

}  // namespace vantage::height_map
