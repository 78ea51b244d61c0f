// Quantiles of a few numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vantage {

// The value that `share` (0 to 1) of the values are at most; of two in the middle the lower one. 0 where
// there are none.
inline double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// The value in the middle; of two the upper one. `values`: at least one.
template <typename T>
T upper_median(std::vector<T> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace vantage
