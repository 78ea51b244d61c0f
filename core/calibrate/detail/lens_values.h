// The lens of core/geometry/projection.h for values that are solved: T is double or a dual number.
#pragma once

namespace vantage {

// lens: fx fy cx cy k1 k2 p1 p2 k3; seen: a point before the camera (m). False where it lies behind.
template <typename T>
bool project_seen(const T* lens, const T* seen, T* x_px, T* y_px) {
  if (!(seen[2] > T(1e-6))) return false;
  const T x = seen[0] / seen[2], y = seen[1] / seen[2];
  const T r2 = x * x + y * y;
  const T radial = T(1) + r2 * (lens[4] + r2 * (lens[5] + r2 * lens[8]));
  const T xd = x * radial + T(2) * lens[6] * x * y + lens[7] * (r2 + T(2) * x * x);
  const T yd = y * radial + lens[6] * (r2 + T(2) * y * y) + T(2) * lens[7] * x * y;
  *x_px = lens[0] * xd + lens[2];
  *y_px = lens[1] * yd + lens[3];
  return true;
}

}  // namespace vantage
