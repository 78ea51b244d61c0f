// The measurements of ADABTS D6.1 ("Boxer"), figures 45 to 49, on this program: curves instead of single
// figures. Figures 51 and 52 compare GPUs: run the same on each.
#pragma once

#include <string>
#include <vector>

#include "app/cli/bench/footage.h"

namespace vantage::cli {

struct ExperimentOptions {
  std::vector<int> cameras, grids, streams;  // empty: the source's range, shorter on a CPU
  double seconds = 40;                       // of what is repeated as long as one likes
};

struct ExperimentBench {
  const char* name;
  const char* what;  // for the help
  void (*run)(const BenchDevice& device, const BenchFootage& footage, const ExperimentOptions& options,
              BenchReport& report);
};

const std::vector<ExperimentBench>& experiment_benches();

}  // namespace vantage::cli
