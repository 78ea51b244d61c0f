#include "core/live/live_clock.h"

#include <algorithm>
#include <cmath>

namespace vantage {
namespace {

constexpr double kJitterShare = 0.02;  // of each picture in the running mean

}  // namespace

bool LiveClock::sender_can_be_right() const {
  if (senders_.empty()) return false;
  if (delay_ns_ < kMinDelay_ns || delay_ns_ > kMaxDelay_ns) return false;
  return senders_.seconds() < kSecondsForDrift || std::abs(senders_.slope()) <= kMaxDrift;
}

int64_t LiveClock::add(int64_t stream_ns, int64_t arrival_ns, int64_t sender_ns) {
  arrivals_.add(arrival_ns, stream_ns);
  const int64_t undelayed = stream_ns + arrivals_.at(arrival_ns);
  const auto late = static_cast<double>(std::max<int64_t>(arrival_ns - undelayed, 0));
  jitter_ns_ += kJitterShare * (late - jitter_ns_);
  if (sender_ns >= 0) {
    senders_.add(arrival_ns, sender_ns);
    delay_ns_ = senders_.at(arrival_ns);
  }
  by_sender_ = sender_ns >= 0 && sender_can_be_right();
  return by_sender_ ? sender_ns : undelayed - common_delay_ns_;
}

std::optional<double> LiveClock::clock_offset_s() const {
  if (senders_.empty()) return std::nullopt;
  return static_cast<double>(common_delay_ns_ - delay_ns_) * 1e-9;
}

}  // namespace vantage
