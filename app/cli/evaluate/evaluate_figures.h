// What `evaluate` says beyond the figures of all frames: their intervals, a second result against the first,
// parts of the recording, and the worst instants. Also of `variants compare`.
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
  bool wanted = false;  // of every figure
  int64_t block = 0;
  uint32_t seed = 1;

  void add_to(CLI::App& command);
  BootstrapOptions bootstrap() const;
};

// What an interval means, once above those of a table.
std::string intervals_text(const IntervalOptions& options);
// null where the figure is unknown; without from and to, and with why, where only they are.
Report interval_report(const FigureInterval& interval);
std::string interval_line(const char* title, const FigureInterval& interval);

Report part_report(const MeasuredParts& parts, const MeasuredPart& part);  // a row
void add_compared(const char* key, const std::vector<ComparedFigure>& compared, const std::string& first,
                  const std::string& second, Report* to);
void add_moments(const std::vector<WorstMoment>& moments, Report* to);

}  // namespace vantage::cli
