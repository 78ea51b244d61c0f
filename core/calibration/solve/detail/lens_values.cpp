#include "core/calibration/solve/detail/lens_values.h"

#include "core/geometry/lens_inverse.h"

namespace vantage {

Lens<double> lens_with(const LensValues& values, const Lens<double>& fixed) {
  Lens<double> lens = fixed;
  lens.k1 = values[kK1], lens.k2 = values[kK2], lens.p1 = values[kP1], lens.p2 = values[kP2];
  lens.k3 = values[kK3], lens.k4 = values[kK4], lens.k5 = values[kK5], lens.k6 = values[kK6];
  complete_lens(&lens);
  return lens;
}

}  // namespace vantage
