#include "gpu/runtime/tracer.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "gpu/runtime/context.h"
#include "gpu/runtime/cuda_error.h"

namespace vantage::gpu {
namespace {

constexpr int64_t kBaseLifetimeNs = 1'000'000'000;
constexpr int64_t kWidestCalibrationNs =
    100'000;                          // a base whose host time is known worse is chained to the last one
constexpr size_t kMaxPending = 8192;  // of a stream

}  // namespace

// An event and when it happened, by the host's clock.
struct Tracer::Base {
  Base(std::shared_ptr<EventPool> pool, cudaEvent_t handle) : event(handle), events(std::move(pool)) {}
  ~Base() { events->give_back(event); }
  Base(const Base&) = delete;
  Base& operator=(const Base&) = delete;
  cudaEvent_t event;
  int64_t host_ns = 0;
  std::shared_ptr<EventPool> events;
};

Tracer::Tracer(Context& context)
    : context_(context), events_(std::make_shared<EventPool>(cudaEventDefault)) {}

Status Tracer::start() {
  VANTAGE_TRY(
      context_.check(cudaStreamCreateWithFlags(&calibration_, cudaStreamNonBlocking), "create a stream"));
  renew_base();
  if (!base_) return context_.check(cudaErrorUnknown, "place device times on the host's clock");
  return {};
}

void Tracer::close() noexcept {
  poll();
  for (auto& [stream, spans] : pending_)
    for (Pending& span : spans) resolve(span, false);
  pending_.clear();
  base_.reset();
  events_->close();
  if (calibration_ && !process_is_exiting()) cudaStreamDestroy(calibration_);
  calibration_ = nullptr;
}

void Tracer::renew_base() {
  cudaEvent_t event = nullptr;
  if (events_->take(&event) != cudaSuccess) return;
  auto base = std::make_shared<Base>(events_, event);
  const int64_t before = trace_now_ns();
  // The stream is empty otherwise, so this takes some ten microseconds.
  if (!context_.check(cudaEventRecord(event, calibration_), "calibrate") ||
      !context_.check(cudaEventSynchronize(event), "calibrate"))
    return;
  const int64_t after = trace_now_ns();
  base->host_ns = before + (after - before) / 2;
  float since_last_ms = 0;
  if (base_ && after - before > kWidestCalibrationNs &&
      cudaEventElapsedTime(&since_last_ms, base_->event, event) == cudaSuccess)
    base->host_ns = base_->host_ns + std::llround(static_cast<double>(since_last_ms) * 1e6);
  base_ = std::move(base);
}

cudaEvent_t Tracer::begin(cudaStream_t stream) {
  if (!base_ || trace_now_ns() - base_->host_ns > kBaseLifetimeNs) renew_base();
  cudaEvent_t event = nullptr;
  if (!base_ || events_->take(&event) != cudaSuccess) return nullptr;
  if (!context_.check(cudaEventRecord(event, stream), "record an event")) {
    events_->give_back(event);
    return nullptr;
  }
  return event;
}

void Tracer::end(cudaStream_t stream, cudaEvent_t start, TraceRecorder* recorder, TraceSpan span) {
  if (!start) return;
  cudaEvent_t event = nullptr;
  if (events_->take(&event) != cudaSuccess) {
    events_->give_back(start);
    return;
  }
  if (!context_.check(cudaEventRecord(event, stream), "record an event")) {
    events_->give_back(start);
    events_->give_back(event);
    return;
  }
  Spans& spans = pending_[stream];
  if (spans.size() >= kMaxPending) {
    resolve(spans.front(), false);
    spans.pop_front();
  }
  spans.push_back({start, event, base_, recorder, std::move(span)});
}

void Tracer::resolve(Pending& pending, bool valid) {
  float offset_ms = 0, duration_ms = 0;
  if (valid && cudaEventElapsedTime(&offset_ms, pending.base->event, pending.start) == cudaSuccess &&
      cudaEventElapsedTime(&duration_ms, pending.start, pending.end) == cudaSuccess) {
    pending.span.start_ns = pending.base->host_ns + std::llround(static_cast<double>(offset_ms) * 1e6);
    pending.span.duration_ns = std::llround(static_cast<double>(duration_ms) * 1e6);
    pending.recorder->record(std::move(pending.span));
  }
  events_->give_back(pending.start);
  events_->give_back(pending.end);
}

bool Tracer::record_first(Spans& spans) {
  const cudaError_t code = cudaEventQuery(spans.front().end);
  if (code == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  resolve(spans.front(), static_cast<bool>(context_.check(code, "ask for an event")));
  spans.pop_front();
  return true;
}

bool Tracer::poll() {
  for (auto at = pending_.begin(); at != pending_.end();) {
    Spans& spans = at->second;
    while (!spans.empty() && context_.status() && record_first(spans)) {
    }
    if (!context_.status())
      for (Pending& span : spans) resolve(span, false);
    at = spans.empty() || !context_.status() ? pending_.erase(at) : std::next(at);
  }
  return !pending_.empty();
}

void Tracer::finish(const TraceRecorder* recorder) {
  for (auto& [stream, spans] : pending_) {
    Spans others;
    for (Pending& pending : spans) {
      if (pending.recorder != recorder) {
        others.push_back(std::move(pending));
        continue;
      }
      const bool valid =
          context_.status() && context_.check(cudaEventSynchronize(pending.end), "wait for a span");
      resolve(pending, valid);
    }
    spans.swap(others);
  }
}

}  // namespace vantage::gpu
