// Each camera's offset, measured in windows between jumps.
//
// The pairs' lags in a window, with their fractions, are reconciled like offsets are. A window lies in one
// stretch: what is between two jumps, but for a guard next to them.
#pragma once

#include <vector>

#include "core/sync/detail/aligned_pairs.h"
#include "core/sync/detail/drift_line.h"
#include "core/sync/detail/jumps.h"

namespace vantage::sync_detail {

struct Window {
  Span span;
  size_t stretch = 0;  // stretch 0 ends at jump 0
};

struct MeasuredOffset {
  DriftPoint point;
  size_t stretch = 0;
};

// None where all stretches are too short.
std::vector<Window> make_windows(const Span& span, const std::vector<Jump>& jumps, double frame_rate);
// Offsets by camera, in the order of time; the base has none.
std::vector<std::vector<MeasuredOffset>> measure_offsets(const AlignedPairs& pairs,
                                                         const std::vector<Window>& windows);

}  // namespace vantage::sync_detail
