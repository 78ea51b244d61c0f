// How measured values spread.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace vantage::cli {

struct Spread {
  double mean = 0, deviation = 0, p50 = 0, p95 = 0, p99 = 0, most = 0;
};
Spread spread_of(std::vector<double> values);
// Of values in milliseconds.
nlohmann::ordered_json to_json(const Spread& spread);

}  // namespace vantage::cli
