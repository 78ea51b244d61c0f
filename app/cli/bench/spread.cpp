#include "app/cli/bench/spread.h"

namespace vantage::cli {

nlohmann::ordered_json to_json(const Spread& s) {
  return {{"mean_ms", s.mean}, {"deviation_ms", s.deviation},
          {"p50_ms", s.p50},   {"p95_ms", s.p95},
          {"p99_ms", s.p99},   {"max_ms", s.max}};
}

}  // namespace vantage::cli
