// Capture times of a live camera's pictures, on this machine's clock (trace_now_ns()).
//
// Times are the sender's clock's if the camera's reports give a plausible one: kMinDelay_ns to kMaxDelay_ns
// before the arrival, with a drift of at most kMaxDrift (clocks under NTP drift less). Otherwise by arrival:
// the least delayed pictures show stream time against ours, with its drift (ArrivalLine), less the delay of
// cameras with correct clocks (set_common_delay()). A smaller error of a sender's clock cannot be told from a
// slow network: the synchronisation by pictures finds the rest.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace vantage {

// A stream's own clock against this machine's: a straight line through the least delayed arrivals.
//
// The smallest (arrival - stamp) of each second is kept, over the last kSeconds. Line: the median of the
// slopes between any two of them and the median of the residuals (H. Theil 1950, P. K. Sen 1968), so that up
// to a quarter of the seconds may be disturbed. If the last kStepSeconds all lie more than kStep_ns to one
// side, the clock was set: earlier seconds are dropped. Nanoseconds throughout.

class ArrivalLine {
 public:
  static constexpr int kSeconds = 20;
  static constexpr int kStepSeconds = 3;
  static constexpr int64_t kStep_ns = 200'000'000;

  void add(int64_t arrival_ns, int64_t stamp_ns);
  bool empty() const { return !started_; }
  // arrival - stamp of an undelayed picture that arrives at that time.
  int64_t at(int64_t arrival_ns) const;
  double slope() const { return slope_; }  // 0 until there are kMinForSlope seconds
  int seconds() const { return static_cast<int>(minima_.size()); }

 private:
  struct Minimum {
    int64_t arrival_ns = 0, difference_ns = 0;
  };
  static constexpr int kMinForSlope = 5;
  void close_second();
  void drop_what_came_before_a_step();
  void fit();

  bool started_ = false;
  int64_t second_begin_ns_ = 0;
  Minimum smallest_;
  std::deque<Minimum> minima_;
  double slope_ = 0;
  int64_t origin_ns_ = 0, level_ns_ = 0;  // the line's value at the origin
};

class LiveClock {
 public:
  static constexpr int64_t kMinDelay_ns = -20'000'000;
  static constexpr int64_t kMaxDelay_ns = 400'000'000;
  static constexpr double kMaxDrift = 300e-6;
  static constexpr int kSecondsForDrift = 8;  // minimum before drift is judged

  // Returns the capture time of a picture, from its stream time, its arrival, and the camera's clock (on our
  // clock's scale, -1: nothing).
  int64_t add(int64_t stream_ns, int64_t arrival_ns, int64_t sender_ns);
  // The stream restarts: its times are unrelated to earlier ones.
  void restart() { *this = LiveClock(common_delay_ns_); }

  explicit LiveClock(int64_t common_delay_ns = 0) : common_delay_ns_(common_delay_ns) {}
  void set_common_delay(int64_t delay_ns) { common_delay_ns_ = delay_ns; }

  bool by_sender() const { return by_sender_; }
  // Time from capture to arrival of an undelayed picture; only by_sender().
  int64_t delay_ns() const { return delay_ns_; }
  // The camera's clock minus ours, seconds; nothing: unknown.
  std::optional<double> clock_offset_s() const;
  double drift_ppm() const { return -arrivals_.slope() * 1e6; }  // rate error of the stream's clock
  double jitter_ms() const { return jitter_ns_ * 1e-6; }         // mean delay beyond an undelayed picture's

 private:
  bool sender_can_be_right() const;

  ArrivalLine arrivals_, senders_;
  int64_t common_delay_ns_ = 0, delay_ns_ = 0;
  bool by_sender_ = false;
  double jitter_ns_ = 0;
};

}  // namespace vantage
