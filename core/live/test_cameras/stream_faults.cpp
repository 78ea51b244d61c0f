#include "core/live/test_cameras/stream_faults.h"

#include <cmath>

namespace vantage {
namespace {

int64_t nanoseconds(double seconds) {
  return std::llround(seconds * 1e9);
}

}  // namespace

FaultSchedule::FaultSchedule(const StreamFaults& faults, size_t camera)
    : faults_(faults), events_(faults.seed * 3 + camera * 7919), delays_(faults.seed * 5 + camera * 104729) {
  if (faults_.cuts_every_s > 0) plan_next(0);
}

void FaultSchedule::plan_next(int64_t after_ns) {
  const double wait_s = std::exponential_distribution<double>(1 / faults_.cuts_every_s)(events_);
  const double length_s = faults_.cut_s * std::uniform_real_distribution<double>(0.5, 1.5)(events_);
  kind_ = std::bernoulli_distribution(0.5)(events_) ? StreamEvent::cut : StreamEvent::stall;
  begin_ns_ = after_ns + nanoseconds(wait_s);
  end_ns_ = begin_ns_ + nanoseconds(length_s);
  inside_ = false;
}

StreamEvent FaultSchedule::at(int64_t scene_ns) {
  while (scene_ns >= end_ns_) plan_next(end_ns_);
  if (scene_ns < begin_ns_) return StreamEvent::none;
  if (!inside_) ++(kind_ == StreamEvent::cut ? cuts_ : stalls_);
  inside_ = true;
  return kind_;
}

int64_t FaultSchedule::jitter_ns() {
  if (faults_.jitter_ms <= 0) return 0;
  return nanoseconds(std::exponential_distribution<double>(1e3 / faults_.jitter_ms)(delays_));
}

PacketLoss::PacketLoss(const StreamFaults& faults, size_t camera)
    : share_(faults.loss), losses_(faults.seed * 11 + camera * 1299709) {}

bool PacketLoss::next() {
  if (share_ <= 0) return false;
  const std::lock_guard lock(mutex_);
  return std::bernoulli_distribution(share_)(losses_);
}

}  // namespace vantage
