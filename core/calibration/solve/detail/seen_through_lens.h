// Pixels of points by lenses that are solved (core/geometry/lens.h): T is double or a dual number.
#pragma once

#include <cmath>

#include "core/calibration/solve/bundle.h"
#include "core/geometry/lens.h"

namespace vantage {

// Residuals beyond so many pixels pull less: before their scatter is known, and by it afterwards.
inline constexpr double kFirstLoss_px = 2, kLossSigmas = 3;

// Coefficients that are solved, and those that are fixed.
template <typename T>
struct SolvedCoefficients {
  const T &k1, &k2, &p1, &p2, &k3, &k4, &k5, &k6;
  const double &s1, &s2, &s3, &s4;
  const double* tilt;
};

// Bends by the angle off the axis: X / Z has no bounds at 90 degrees, near which corners may start. False at
// the camera's centre.
template <typename T>
bool bend_by_angle(const SolvedCoefficients<T>& lens, const T* seen, T* xd, T* yd) {
  using std::atan2, std::sqrt;
  const T r2 = seen[0] * seen[0] + seen[1] * seen[1], z2 = seen[2] * seen[2];
  if (!(r2 + z2 > T(1e-12))) return false;
  const T r = sqrt(r2 + T(1e-20) * (r2 + z2));  // never 0, whose root has no derivative
  const T scale = bent_angle(lens, atan2(r, seen[2])) / r;
  *xd = seen[0] * scale;
  *yd = seen[1] * scale;
  return true;
}

// values: kLensValues; fixed: as BundleCamera's; seen: a point before the camera (m). False where it lies
// behind.
template <typename T>
bool project_seen(const T* values, const Lens<double>& fixed, const T* seen, T* x_px, T* y_px) {
  const SolvedCoefficients<T> lens = {values[kK1], values[kK2], values[kP1], values[kP2], values[kK3],
                                      values[kK4], values[kK5], values[kK6], fixed.s1,    fixed.s2,
                                      fixed.s3,    fixed.s4,    fixed.tilt};
  T xd, yd;
  if (fixed.lens == LensModel::fisheye) {
    if (!bend_by_angle(lens, seen, &xd, &yd)) return false;
  } else {
    if (!(seen[2] > T(1e-6))) return false;
    const T x = seen[0] / seen[2], y = seen[1] / seen[2];
    if (fixed.lens == LensModel::polynomial)
      distort_polynomial(lens, x, y, &xd, &yd);
    else
      distort_rational(lens, x, y, &xd, &yd);
  }
  *x_px = values[kFx] * xd + values[kCx];
  *y_px = values[kFy] * yd + values[kCy];
  return true;
}

}  // namespace vantage
