// How measured values spread.
#pragma once

#include <vector>

namespace vantage {

struct Spread {
  double mean = 0, deviation = 0, p50 = 0, p95 = 0, p99 = 0, max = 0;
};
Spread spread_of(std::vector<double> values);

// The middle of values that lie symmetrically around it, few of them far off, after Hodges and Lehmann
// (1963): the median of the means of all pairs of values, each with itself as well. With a confidence of 95 %
// or a little more it lies in the interval (Wilcoxon's signed ranks, by their own distribution); of fewer
// than six values that is all of their range, with less. At least one value.
struct Middle {
  double estimate = 0, from = 0, to = 0;
};
Middle middle_of(const std::vector<double>& values);

}  // namespace vantage
