// The measurements of ADABTS D6.1 ("Boxer"), figures 45 to 51, for this program: curves instead of single
// figures. Figure 52 compares kinds of GPU: run the same on each.
#pragma once

#include <string>
#include <vector>

#include "tools/bench/footage.h"

namespace vantage::cli {

struct ExperimentOptions {
  std::vector<int> cameras, grids, streams;  // empty: the source's range, shorter on a CPU
  std::vector<int> gpus;                     // empty: from one to all
  double seconds = 40;                       // for repeatable measurements
};

struct ExperimentBench {
  const char* name;
  const char* what;  // for the help
  void (*run)(const BenchDevice& device, const BenchFootage& footage, const ExperimentOptions& options,
              BenchReport& report);
};

const std::vector<ExperimentBench>& experiment_benches();

}  // namespace vantage::cli
