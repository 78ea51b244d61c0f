// The stages of the chain and the algorithms next to it, each timed alone on one device.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/bench/footage.h"
#include "tools/bench/report.h"

namespace vantage::cli {

struct StageBench {
  const char* name;
  bool needs_footage;
  void (*run)(BenchDevice& device, const BenchFootage& footage, BenchReport& report);
};

// In the order of the chain.
const std::vector<StageBench>& stage_benches();

}  // namespace vantage::cli
