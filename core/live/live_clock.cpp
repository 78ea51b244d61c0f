#include "core/live/live_clock.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/quantile.h"

namespace vantage {
namespace {

constexpr int64_t kSecond_ns = 1'000'000'000;

}  // namespace

void ArrivalLine::add(int64_t arrival_ns, int64_t stamp_ns) {
  const Minimum sample{arrival_ns, arrival_ns - stamp_ns};
  if (!started_) {
    started_ = true;
    second_begin_ns_ = arrival_ns;
    smallest_ = sample;
    origin_ns_ = arrival_ns, level_ns_ = sample.difference_ns;
    return;
  }
  if (arrival_ns - second_begin_ns_ >= kSecond_ns) {
    close_second();
    second_begin_ns_ = arrival_ns;
    smallest_ = sample;
  } else if (sample.difference_ns < smallest_.difference_ns) {
    smallest_ = sample;
    if (minima_.empty()) origin_ns_ = arrival_ns, level_ns_ = sample.difference_ns;
  }
}

int64_t ArrivalLine::at(int64_t arrival_ns) const {
  return level_ns_ + std::llround(slope_ * static_cast<double>(arrival_ns - origin_ns_));
}

void ArrivalLine::close_second() {
  minima_.push_back(smallest_);
  if (minima_.size() > kSeconds) minima_.pop_front();
  drop_what_came_before_a_step();
  fit();
}

void ArrivalLine::drop_what_came_before_a_step() {
  if (minima_.size() <= kStepSeconds) return;
  int above = 0, below = 0;
  for (auto m = minima_.end() - kStepSeconds; m != minima_.end(); ++m) {
    const int64_t off = m->difference_ns - at(m->arrival_ns);
    above += off > kStep_ns, below += off < -kStep_ns;
  }
  if (above == kStepSeconds || below == kStepSeconds)
    minima_.erase(minima_.begin(), minima_.end() - kStepSeconds);
}

void ArrivalLine::fit() {
  std::vector<double> values;
  slope_ = 0;
  if (minima_.size() >= kMinForSlope) {
    for (size_t i = 0; i < minima_.size(); ++i)
      for (size_t j = i + 1; j < minima_.size(); ++j)
        values.push_back(static_cast<double>(minima_[j].difference_ns - minima_[i].difference_ns) /
                         static_cast<double>(minima_[j].arrival_ns - minima_[i].arrival_ns));
    slope_ = upper_median(std::move(values));
    values = {};
  }
  origin_ns_ = minima_.back().arrival_ns;
  const int64_t reference = minima_.back().difference_ns;
  for (const Minimum& m : minima_)
    values.push_back(static_cast<double>(m.difference_ns - reference) -
                     slope_ * static_cast<double>(m.arrival_ns - origin_ns_));
  level_ns_ = reference + std::llround(upper_median(std::move(values)));
}

namespace {

constexpr double kJitterShare = 0.02;  // share of each picture in the running mean

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
