// Spans of device work. Their times come from pairs of events, placed on the host's steady clock through a
// base event whose host time is known; the base is renewed every second, so that neither float milliseconds
// nor clock drift show.
//
// poll() does not wait: it resolves the spans whose events are done. All calls are on the submission thread.
//
// A stream's spans end in the order of their end() calls, so polling stops at the first that is not done: it
// costs one query a stream, not one a span in progress.
#pragma once

#include <cuda_runtime_api.h>

#include <deque>
#include <map>
#include <memory>

#include "core/base/result.h"
#include "core/base/trace.h"
#include "gpu/runtime/event.h"

namespace vantage::gpu {

class Context;

class Tracer {
 public:
  explicit Tracer(Context& context);
  Status start();
  void close() noexcept;

  // Begins a span on the stream; null if it cannot be recorded (the work continues without).
  cudaEvent_t begin(cudaStream_t stream);
  // Ends it here. `span` has everything but its times.
  void end(cudaStream_t stream, cudaEvent_t start, TraceRecorder* recorder, TraceSpan span);
  // Records the spans that are done; true when some are not.
  bool poll();
  // Waits for all spans of a recorder that is about to go away, and records them.
  void finish(const TraceRecorder* recorder);

 private:
  struct Base;
  struct Pending {
    cudaEvent_t start, end;
    std::shared_ptr<const Base> base;
    TraceRecorder* recorder;
    TraceSpan span;
  };
  using Spans = std::deque<Pending>;
  void renew_base();
  // Records and removes the first span if it is done; true if so.
  bool record_first(Spans& spans);
  void resolve(Pending& pending, bool valid);

  Context& context_;
  std::shared_ptr<EventPool> events_;
  cudaStream_t calibration_ = nullptr;
  std::shared_ptr<const Base> base_;
  std::map<cudaStream_t, Spans> pending_;
};

}  // namespace vantage::gpu
