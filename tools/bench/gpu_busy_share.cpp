#include "tools/bench/gpu_busy_share.h"

#include <algorithm>
#include <utility>

namespace vantage::cli {

double gpu_busy_share(const std::vector<TraceSpan>& spans, int64_t from_ns, int64_t to_ns) {
  std::vector<std::pair<int64_t, int64_t>> busy;
  for (const TraceSpan& span : spans)
    if (span.lane.starts_with("cuda:")) busy.emplace_back(span.start_ns, span.start_ns + span.duration_ns);
  std::sort(busy.begin(), busy.end());
  int64_t total_ns = 0, reached_ns = from_ns;
  for (const auto& [start_ns, end_ns] : busy) {
    const int64_t begin_ns = std::max(start_ns, reached_ns), stop_ns = std::min(end_ns, to_ns);
    if (stop_ns <= begin_ns) continue;
    total_ns += stop_ns - begin_ns;
    reached_ns = stop_ns;
  }
  return to_ns > from_ns ? static_cast<double>(total_ns) / static_cast<double>(to_ns - from_ns) : 0;
}

}  // namespace vantage::cli
