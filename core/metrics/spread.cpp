#include "core/metrics/spread.h"

#include <algorithm>
#include <cmath>

namespace vantage {
namespace {

// The largest sum of signed ranks of n values that is undercut or met with a probability of at most 2.5 %;
// 0 where even that is more probable.
size_t critical_rank_sum(size_t n) {
  constexpr double kOneSide = 0.025;
  // Probability of each sum when each of the first ranks is in it or not with equal chances.
  std::vector<double> probability(n * (n + 1) / 2 + 1);
  probability[0] = 1;
  for (size_t rank = 1; rank <= n; ++rank)
    for (size_t sum = probability.size(); sum-- > 0;)
      probability[sum] = (probability[sum] + (sum >= rank ? probability[sum - rank] : 0)) / 2;
  size_t critical = 0;
  for (double at_most = probability[0]; at_most + probability[critical + 1] <= kOneSide;)
    at_most += probability[++critical];
  return critical;
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  Spread s;
  if (values.empty()) return s;
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  for (const double v : values) s.mean += v / n;
  for (const double v : values) s.deviation += (v - s.mean) * (v - s.mean) / n;
  s.deviation = std::sqrt(s.deviation);
  const auto at = [&](double share) { return values[static_cast<size_t>(share * (n - 1))]; };
  s.p50 = at(0.5), s.p95 = at(0.95), s.p99 = at(0.99), s.max = values.back();
  return s;
}

Middle middle_of(const std::vector<double>& values) {
  std::vector<double> means;
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = i; j < values.size(); ++j) means.push_back((values[i] + values[j]) / 2);
  std::sort(means.begin(), means.end());
  const size_t rank = critical_rank_sum(values.size()), last = means.size() - 1;
  return {(means[last / 2] + means[(last + 1) / 2]) / 2, means[rank], means[last - rank]};
}

}  // namespace vantage
