// The lenses of core/geometry/lens.h for values that are solved: T is double or a dual number.
#pragma once

#include "core/geometry/lens.h"

namespace vantage {

// values: fx fy cx cy k1 k2 p1 p2 k3, the last five of a polynomial lens alone; `beyond`: a lens of another
// model, whose coefficients are held; seen: a point before the camera (m). False where it lies behind.
template <typename T>
bool project_seen(const T* values, const Lens<double>& beyond, const T* seen, T* x_px, T* y_px) {
  if (!(seen[2] > T(1e-6))) return false;
  const T x = seen[0] / seen[2], y = seen[1] / seen[2];
  T xd, yd;
  if (beyond.lens == LensModel::polynomial) {
    const struct {
      const T &k1, &k2, &p1, &p2, &k3;
    } solved = {values[4], values[5], values[6], values[7], values[8]};
    distort_polynomial(solved, x, y, &xd, &yd);
  } else {
    distort(beyond, x, y, &xd, &yd);
  }
  *x_px = values[0] * xd + values[2];
  *y_px = values[1] * yd + values[3];
  return true;
}

}  // namespace vantage
