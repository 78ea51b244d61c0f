// How a lens bends what lies at (x, y) = (X / Z, Y / Z) of a camera's axes. Plain data and plain functions,
// shared by CPU and CUDA: .cu files include this header. Three models, with OpenCV's names, order and
// formulas (manual of calib3d, "Detailed description", and of its namespace fisheye):
//
// polynomial  k1 k2 p1 p2 k3 (D. C. Brown, "Close-range camera calibration", 1971): the fast one.
// rational    with k4 k5 k6 below the fraction, a thin prism s1 s2 s3 s4 and a tilted sensor tau_x tau_y.
// fisheye     k1 k2 k3 k4 of the angle off the axis (J. Kannala, S. Brandt, "A generic camera model and
//             calibration method for conventional, wide-angle, and fish-eye lenses", 2006), below 90 degrees.
#pragma once

#include <cmath>

#ifdef __CUDACC__
#define VANTAGE_HD __host__ __device__ inline
#else
#define VANTAGE_HD inline
#endif

namespace vantage {

enum class LensModel : int { polynomial, rational, fisheye };

template <typename T>
struct Lens {
  LensModel lens = LensModel::polynomial;
  T k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0;
  T k4 = 0, k5 = 0, k6 = 0;
  T s1 = 0, s2 = 0, s3 = 0, s4 = 0;
  T tau_x = 0, tau_y = 0;                   // radians
  T tilt[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // row-major; made from them by Camera
  // Largest x^2 + y^2 up to which the bent radius grows with the radius. Beyond it the model folds back into
  // the picture; such points are not visible. Set by Camera.
  T max_radius2 = T(1e30);
};

// In float by plain operations, so that the CPU and CUDA give the same bits and loops vectorise:
// within 1.5e-7 of the angle (S. L. Moshier's division of the range, "Methods and programs for mathematical
// functions", 1989). value >= 0.
VANTAGE_HD float lens_angle(float value) {
  constexpr float kHalf = 1.57079637F, kQuarter = 0.785398185F;
  const bool steep = value > 2.41421356F, middle = value > 0.414213562F;
  const float t = steep ? -1.0F / value : (middle ? (value - 1.0F) / (value + 1.0F) : value);
  const float z = t * t;
  const float series =
      (((8.05374449e-2F * z - 1.38776856e-1F) * z + 1.99777106e-1F) * z - 3.33329491e-1F) * z * t + t;
  return (steep ? kHalf : (middle ? kQuarter : 0.0F)) + series;
}
// double, and numbers that carry derivatives.
template <typename T>
VANTAGE_HD T lens_angle(const T& value) {
  using std::atan;
  return atan(value);
}

// Coefficients: a Lens, or what has numbers by its names. T: the coordinates' type. Either may carry
// derivatives.

// How far from the centre a fisheye shows what lies at this angle off its axis, also beyond 90 degrees.
template <typename Coefficients, typename T>
VANTAGE_HD T bent_angle(const Coefficients& c, const T& angle) {
  const T u = angle * angle;
  return angle * (T(1) + u * (c.k1 + u * (c.k2 + u * (c.k3 + u * c.k4))));
}

template <typename Coefficients, typename T>
VANTAGE_HD void distort_fisheye(const Coefficients& c, T x, T y, T* xd, T* yd) {
  using std::sqrt;
  const T r2 = x * x + y * y;
  const T r = sqrt(r2 + T(1e-20));  // never 0, whose root has no derivative
  const T scale = bent_angle(c, lens_angle(r)) / r;
  *xd = x * scale;
  *yd = y * scale;
}

template <typename Coefficients, typename T>
VANTAGE_HD void distort_rational(const Coefficients& c, T x, T y, T* xd, T* yd) {
  const T r2 = x * x + y * y;
  const T radial =
      (T(1) + r2 * (c.k1 + r2 * (c.k2 + r2 * c.k3))) / (T(1) + r2 * (c.k4 + r2 * (c.k5 + r2 * c.k6)));
  const T xb = x * radial + T(2) * c.p1 * x * y + c.p2 * (r2 + T(2) * x * x) + r2 * (c.s1 + r2 * c.s2);
  const T yb = y * radial + c.p1 * (r2 + T(2) * y * y) + T(2) * c.p2 * x * y + r2 * (c.s3 + r2 * c.s4);
  const T depth = c.tilt[6] * xb + c.tilt[7] * yb + c.tilt[8];
  *xd = (c.tilt[0] * xb + c.tilt[1] * yb + c.tilt[2]) / depth;
  *yd = (c.tilt[3] * xb + c.tilt[4] * yb + c.tilt[5]) / depth;
}

template <typename Coefficients, typename T>
VANTAGE_HD void distort_polynomial(const Coefficients& c, T x, T y, T* xd, T* yd) {
  const T r2 = x * x + y * y;
  const T radial = T(1) + r2 * (c.k1 + r2 * (c.k2 + r2 * c.k3));
  *xd = x * radial + T(2) * c.p1 * x * y + c.p2 * (r2 + T(2) * x * x);
  *yd = y * radial + c.p1 * (r2 + T(2) * y * y) + T(2) * c.p2 * x * y;
}

// Distorts by a model that is known when it is compiled, for loops without branches.
template <LensModel kLens, typename C, typename T>
VANTAGE_HD void distort_through(const Lens<C>& c, T x, T y, T* xd, T* yd) {
  if constexpr (kLens == LensModel::polynomial)
    distort_polynomial(c, x, y, xd, yd);
  else if constexpr (kLens == LensModel::rational)
    distort_rational(c, x, y, xd, yd);
  else
    distort_fisheye(c, x, y, xd, yd);
}

template <typename C, typename T>
VANTAGE_HD void distort(const Lens<C>& c, T x, T y, T* xd, T* yd) {
  if (c.lens == LensModel::polynomial) return distort_through<LensModel::polynomial>(c, x, y, xd, yd);
  if (c.lens == LensModel::fisheye) return distort_through<LensModel::fisheye>(c, x, y, xd, yd);
  distort_through<LensModel::rational>(c, x, y, xd, yd);
}

template <typename To, typename From>
Lens<To> cast_lens(const Lens<From>& from) {
  Lens<To> to;
  to.lens = from.lens;
  to.k1 = To(from.k1), to.k2 = To(from.k2), to.p1 = To(from.p1), to.p2 = To(from.p2), to.k3 = To(from.k3);
  to.k4 = To(from.k4), to.k5 = To(from.k5), to.k6 = To(from.k6);
  to.s1 = To(from.s1), to.s2 = To(from.s2), to.s3 = To(from.s3), to.s4 = To(from.s4);
  to.tau_x = To(from.tau_x), to.tau_y = To(from.tau_y);
  for (int i = 0; i < 9; ++i) to.tilt[i] = To(from.tilt[i]);
  to.max_radius2 = To(from.max_radius2);
  return to;
}

}  // namespace vantage
