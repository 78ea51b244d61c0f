// Measurements of `bench`: rows of stages and curves of experiments, printed as they come, written as JSON
// and as plots.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/trace.h"
#include "core/display/plot.h"

namespace vantage::cli {

// Times of one call, calls made back to back: the median over batches, each ended by waiting for its last
// result.
struct CallTimes {
  double median_us = 0, min_us = 0, max_us = 0;
  int calls = 0, batches = 0;
};
// work(true) also waits for its result.
CallTimes time_calls(const std::function<void(bool wait)>& work);

struct BenchRow {
  std::string stage, input;
  CallTimes times;
  double amount = 0;    // per call; 0: none
  std::string unit;     // unit of the amount: "B" or "samples"
  double limit_us = 0;  // time of the amount at the device's measured rate; 0: no limit
  std::map<std::string, double> spans_us = {};  // mean of each step inside
};

// Mean duration of each span in microseconds, by name.
std::map<std::string, double> span_means_us(const TraceRecorder& trace);

class BenchReport {
 public:
  void add(BenchRow row);
  // `facts`: figures outside the curve.
  void add(const std::string& name, Plot plot, nlohmann::ordered_json facts);
  nlohmann::ordered_json json() const;
  // Writes NAME.svg for each experiment. Returns the first error.
  Status write_plots(const std::filesystem::path& folder) const;

 private:
  struct Experiment {
    std::string name;
    Plot plot;
    nlohmann::ordered_json facts;
  };
  std::vector<BenchRow> rows_;
  std::vector<Experiment> experiments_;
};

}  // namespace vantage::cli
