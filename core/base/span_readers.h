// Lets several readers follow the spans of one recorder, each from a place of its own: a live view and a
// server of timings, say. It is the recorder's only caller of take_new().
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "core/base/trace.h"

namespace vantage {

// May be used from several threads.
class SpanReaders {
 public:
  // `trace` outlives it. At most `max` spans are kept for readers that come late; those lose the oldest.
  explicit SpanReaders(TraceRecorder* trace, size_t max = size_t{1} << 16) : trace_(trace), max_(max) {}

  // The place behind the newest span.
  uint64_t end();
  // The spans from a reader's place on, which goes behind the newest; 0 begins with all that are kept.
  std::vector<TraceSpan> take_new(uint64_t* place);
  // Everything that the recorder keeps.
  std::vector<TraceSpan> snapshot() const { return trace_->snapshot(); }

 private:
  void fetch();

  TraceRecorder* const trace_;
  const size_t max_;
  std::mutex mutex_;             // guards what follows
  std::deque<TraceSpan> spans_;  // the newest
  uint64_t first_ = 0;           // the place of the oldest of them
};

}  // namespace vantage
