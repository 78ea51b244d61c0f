// Outputs of `evaluate` beyond the figures of all frames: intervals, a second result, parts of the recording,
// and the worst instants. Also for `variants compare`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/common/command.h"
#include "core/metrics/worst_moments.h"
#include "core/results/measured_parts.h"

namespace vantage::cli {

// --block and --bootstrap-seed, wherever figures are measured.
struct IntervalOptions {
  bool wanted = false;  // for every figure
  int64_t block = 0;
  uint32_t seed = 1;

  void add_to(CLI::App& command);
  BootstrapOptions bootstrap() const;
};

// Explanation of intervals, once above a table.
std::string intervals_text(const IntervalOptions& options);
// null for unknown figures; without from and to, and with the reason, if only the interval is unknown.
Report interval_report(const FigureInterval& interval);
std::string interval_line(const char* title, const FigureInterval& interval);

Report part_report(const MeasuredParts& parts, const MeasuredPart& part);  // a row
void add_compared(const char* key, const std::vector<ComparedFigure>& compared, const std::string& first,
                  const std::string& second, Report* to);
void add_moments(const std::vector<WorstMoment>& moments, Report* to);

}  // namespace vantage::cli
