// Frame signatures by the book, in double: every point is projected for itself.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/image/image_view.h"
#include "core/sync/signatures.h"
#include "tests/reference/projection.h"

namespace vantage::reference {

// The sum along one line; *ties is raised when a point lies so near the border of two pixels that rounding
// decides.
inline double line_sum(const PinholeCamera<double>& camera, const LineSegment& line,
                       const ImageView<const uint8_t>& indicator, bool* ties) {
  double sum = 0;
  for (int i = 0; i < 512; ++i) {
    const double l = i / 511.0;
    const Eigen::Vector3d a(line.a_in_world_m), b(line.b_in_world_m);
    const auto pixel = project(camera, l * a + (1 - l) * b);
    if (!pixel) continue;
    const double x = pixel->x(), y = pixel->y();
    const auto near = [](double value) { return std::abs(value + 0.5 - std::round(value + 0.5)) < 1e-9; };
    *ties = *ties || near(x) || near(y);
    const int px = static_cast<int>(std::lround(x)), py = static_cast<int>(std::lround(y));
    if (px >= 0 && py >= 0 && px < camera.width_px && py < camera.height_px) sum += indicator.at(px, py);
  }
  return sum;
}

}  // namespace vantage::reference
