// The integral image as its definition says it, in double; integers in 64 bits, to be wrapped by the reader.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/image/image_view.h"
#include "core/primitives/integral_image.h"

namespace vantage::reference {

template <typename In>
struct IntegralSums {
  using Sum = std::conditional_t<std::is_floating_point_v<In>, double, uint64_t>;
  int width = 0, height = 0;
  std::vector<Sum> sums;
  std::vector<double> magnitudes;  // sums of |I|, for error bounds; of floating-point pictures alone

  Sum at(int x, int y) const { return sums[index(x, y)]; }
  double magnitude(int x, int y) const { return magnitudes[index(x, y)]; }
  size_t index(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
  }
};

// width x height is the size of the output. A sum is that of the row up to x, and the sum above.
template <typename In>
IntegralSums<In> integral_image(ImageView<const In> in, IntegralKind kind, int width, int height) {
  using Sum = typename IntegralSums<In>::Sum;
  constexpr bool kReal = std::is_floating_point_v<In>;
  IntegralSums<In> result{width, height, {}, {}};
  result.sums.resize(static_cast<size_t>(width) * static_cast<size_t>(height));
  if (kReal) result.magnitudes.resize(result.sums.size());
  const int shift = kind == IntegralKind::exclusive ? 1 : 0;
  for (int y = 0; y < height; ++y) {
    Sum row = 0;
    double row_magnitude = 0;
    for (int x = 0; x < width; ++x) {
      const bool inside = x >= shift && y >= shift;
      const In value = inside ? in.at(x - shift, y - shift) : In{0};
      const size_t here = result.index(x, y);
      row += static_cast<Sum>(value);
      result.sums[here] = y > 0 ? row + result.at(x, y - 1) : row;
      if constexpr (kReal) {
        row_magnitude += std::abs(double{value});
        result.magnitudes[here] = y > 0 ? row_magnitude + result.magnitude(x, y - 1) : row_magnitude;
      }
    }
  }
  return result;
}

}  // namespace vantage::reference
