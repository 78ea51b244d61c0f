#include "app/cli/bench/spread.h"

#include <algorithm>
#include <cmath>

namespace vantage::cli {

Spread spread_of(std::vector<double> values) {
  Spread s;
  if (values.empty()) return s;
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  for (const double v : values) s.mean += v / n;
  for (const double v : values) s.deviation += (v - s.mean) * (v - s.mean) / n;
  s.deviation = std::sqrt(s.deviation);
  const auto at = [&](double share) { return values[static_cast<size_t>(share * (n - 1))]; };
  s.p50 = at(0.5), s.p95 = at(0.95), s.p99 = at(0.99), s.most = values.back();
  return s;
}
nlohmann::ordered_json to_json(const Spread& s) {
  return {{"mean_ms", s.mean}, {"deviation_ms", s.deviation},
          {"p50_ms", s.p50},   {"p95_ms", s.p95},
          {"p99_ms", s.p99},   {"most_ms", s.most}};
}

}  // namespace vantage::cli
