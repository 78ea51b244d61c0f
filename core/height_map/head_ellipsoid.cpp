#include "core/height_map/head_ellipsoid.h"

namespace vantage::height_map {
namespace {

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

float length(const Vector3& a) {
  return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

Vector3 turned(const float* rotation, const Vector3& v) {
  return {rotation[0] * v[0] + rotation[1] * v[1] + rotation[2] * v[2],
          rotation[3] * v[0] + rotation[4] * v[1] + rotation[5] * v[2],
          rotation[6] * v[0] + rotation[7] * v[1] + rotation[8] * v[2]};
}

// In normalised coordinates; p lies along x.
struct Conic {
  float x, y;
  float px, qx, qy;
};

// The d = (x, y, 1) with d^T M d >= 0. With n the unit vector to the centre in the space where the ellipsoid
// is a sphere, a and b across it and e = (r / distance)^2, M = e n n^T - (1 - e)(a a^T + b b^T): written so,
// as nothing large cancels.
bool conic_of(const PinholeCamera<float>& camera, const Rounding& rounding, const Vector3& to, float radius,
              Conic& conic) {
  const float distance = length(to);
  if (!(distance > 2 * radius)) return false;
  const float share = radius * radius / (distance * distance), rest = 1 - share;
  const Vector3 n = {to[0] / distance, to[1] / distance, to[2] / distance};
  Vector3 a = cross(n, std::abs(n[0]) < 0.7f ? Vector3{1, 0, 0} : Vector3{0, 0, 1});
  const float of_a = 1 / length(a);
  for (float& v : a) v *= of_a;
  const auto in_camera = [&](const Vector3& v) {
    return turned(camera.rotation_cam_from_world, rounding.transposed(v));
  };
  const Vector3 cn = in_camera(n), ca = in_camera(a), cb = in_camera(cross(n, a));
  const auto m = [&](size_t i, size_t j) {
    return share * cn[i] * cn[j] - rest * (ca[i] * ca[j] + cb[i] * cb[j]);
  };
  const float m00 = m(0, 0), m01 = m(0, 1), m11 = m(1, 1), m02 = m(0, 2), m12 = m(1, 2);
  const float determinant = m00 * m11 - m01 * m01;
  if (!(m00 < 0) || !(determinant > 0)) return false;  // the cone reaches behind the camera
  conic.x = (m01 * m12 - m11 * m02) / determinant, conic.y = (m01 * m02 - m00 * m12) / determinant;
  const float inside = m(2, 2) + m02 * conic.x + m12 * conic.y;
  if (!(inside > 0)) return false;
  // S = -(M of x and y) / inside = U^T U; the ellipse is U^-1 (cos t, sin t).
  const float s00 = -m00 / inside, s01 = -m01 / inside, s11 = -m11 / inside;
  const float u00 = std::sqrt(s00), u01 = s01 / u00, u11 = std::sqrt(s11 - u01 * u01);
  conic.px = 1 / u00, conic.qx = -u01 / (u00 * u11), conic.qy = 1 / u11;
  return std::isfinite(conic.qy);
}

}  // namespace

bool outline_of(const PinholeCamera<float>& camera, const float* eye_m, const HeadEllipsoid& shape,
                OutlineEllipse& outline) {
  const Rounding rounding(shape);
  const Vector3 to = {shape.x - eye_m[0], shape.y - eye_m[1], shape.z - eye_m[2]};
  if (!(turned(camera.rotation_cam_from_world, to)[2] > 0)) return false;
  Conic conic;
  if (!conic_of(camera, rounding, rounding(to[0], to[1], to[2]), shape.radius, conic)) return false;
  if (!(conic.x * conic.x + conic.y * conic.y <= camera.max_radius2)) return false;
  // Through the lens at its four ends.
  const auto seen = [&](float x, float y) {
    float xd, yd;
    distort(camera, conic.x + x, conic.y + y, &xd, &yd);
    return std::array<float, 2>{camera.fx_px * xd + camera.cx_px, camera.fy_px * yd + camera.cy_px};
  };
  const auto p1 = seen(conic.px, 0), p2 = seen(-conic.px, 0);
  const auto q1 = seen(conic.qx, conic.qy), q2 = seen(-conic.qx, -conic.qy);
  outline = {0.25f * (p1[0] + p2[0] + q1[0] + q2[0]),
             0.25f * (p1[1] + p2[1] + q1[1] + q2[1]),
             0.5f * (p1[0] - p2[0]),
             0.5f * (p1[1] - p2[1]),
             0.5f * (q1[0] - q2[0]),
             0.5f * (q1[1] - q2[1])};
  return true;
}

}  // namespace vantage::height_map
