// How much of the time the GPUs were at work, from the recorded spans (trace.h).
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/trace.h"

namespace vantage {

// Share of the time between two moments in which at least one span of a GPU is in progress. Spans also cover
// what their work waits for in its stream, so the GPU has no more to do than that.
double gpu_busy_share(const std::vector<TraceSpan>& spans, int64_t from_ns, int64_t to_ns);

}  // namespace vantage
