// The pixel quads (mosaic.h) that a polygon meets.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/export/case/detail/body_outline.h"

namespace vantage::case_detail {

// Calls visit(x, y) for each, of `width` times `height`, row by row.
template <typename Visit>
void for_each_quad(const Polygon& polygon, int width, int height, const Visit& visit) {
  if (polygon.size() < 3) return;
  double top = polygon[0].y(), bottom = top;
  for (const Eigen::Vector2d& corner : polygon)
    top = std::min(top, corner.y()), bottom = std::max(bottom, corner.y());
  const auto quad_of = [](double pixel) { return static_cast<int>(std::floor((pixel + 0.5) / 2)); };
  const double limit = 4.0 * (width + height);
  const int first = std::max(0, quad_of(std::max(top, -limit)));
  const int last = std::min(height - 1, quad_of(std::min(bottom, limit)));
  for (int y = first; y <= last; ++y) {
    const double low = 2 * y - 0.5, high = low + 2;  // the quad's edges
    double left = limit, right = -limit;
    const auto include = [&](double x) { left = std::min(left, x), right = std::max(right, x); };
    for (size_t i = 0; i < polygon.size(); ++i) {
      const Eigen::Vector2d& a = polygon[i];
      const Eigen::Vector2d& b = polygon[(i + 1) % polygon.size()];
      if (a.y() >= low && a.y() <= high) include(a.x());
      for (const double edge : {low, high})
        if ((a.y() < edge) != (b.y() < edge))
          include(a.x() + (edge - a.y()) / (b.y() - a.y()) * (b.x() - a.x()));
    }
    if (left > right) continue;
    const int to = std::min(width - 1, quad_of(std::min(right, limit)));
    for (int x = std::max(0, quad_of(std::max(left, -limit))); x <= to; ++x) visit(x, y);
  }
}

}  // namespace vantage::case_detail
