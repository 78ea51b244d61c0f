// GPU load of a measured run, from the recorded spans (core/base/trace.h).
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/trace.h"

namespace vantage::cli {

// The share, 0 to 1, of the time from `from_ns` to `to_ns` in which at least one span of a GPU is in
// progress. An upper bound of the load: spans also cover what their work waits for in its stream.
double gpu_busy_share(const std::vector<TraceSpan>& spans, int64_t from_ns, int64_t to_ns);

}  // namespace vantage::cli
