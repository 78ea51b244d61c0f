// One iteration of core/people/occupancy/marginals.h as its equations are written, pixel by pixel.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/people/occupancy/marginals.h"

namespace vantage::reference {

inline bool covers(const BodyRectangle& r, int x, int y) {
  return x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1;
}

inline double psi(const MarginalView& view, std::span<const double> q, double sigma) {
  double wrong = 0, full = 0;
  for (int y = 0; y < view.mask.height; ++y)
    for (int x = 0; x < view.mask.width; ++x) {
      double empty = 1;
      for (size_t k = 0; k < q.size(); ++k)
        if (covers(view.rectangles[k], x, y)) empty *= 1 - q[k];
      const double b = view.mask.at(x, y) ? 1 : 0;
      wrong += b * empty + (1 - b) * (1 - empty);
      full += 1 - empty;
    }
  return wrong / std::max(full, 1.0) / sigma;
}

// What every cell's probability is drawn towards.
inline std::vector<double> wanted_marginals(std::span<const MarginalView> views, std::vector<double> q,
                                            const MarginalParameters& p) {
  std::vector<double> wanted(q.size());
  for (size_t k = 0; k < q.size(); ++k) {
    double sum = std::log((1 - p.prior) / p.prior);
    const double here = q[k];
    for (const MarginalView& view : views) {
      if (view.rectangles[k].empty()) continue;
      q[k] = 1;
      sum += psi(view, q, p.sigma);
      q[k] = 0;
      sum -= psi(view, q, p.sigma);
    }
    q[k] = here;
    wanted[k] = 1 / (1 + std::exp(std::clamp(sum, -60.0, 60.0)));
  }
  return wanted;
}

}  // namespace vantage::reference
