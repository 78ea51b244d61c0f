// Chooses how many sets a chain can analyse, by how long it waits for them. Evaluates kWindow_ns and at least
// kMinSets: if sets were dropped, one more is skipped between two, up to kMaxSlack of the chain's mean time,
// since a few slow sets are no reason to skip ever more; if the chain would have had a quarter of its time
// left at one less, one less.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace vantage {

class Pace {
 public:
  static constexpr int64_t kWindow_ns = 3'000'000'000;
  static constexpr int kMax = 25, kMinSets = 12;
  static constexpr double kBearableDrops = 0.1;  // share of the window's sets
  static constexpr double kMaxBusy = 0.75;
  static constexpr double kMaxSlack = 1.5;

  void note_wait(int64_t wait_ns) { waited_ns_ += wait_ns, ++sets_; }
  // Returns n to analyse every n-th set; `dropped` counts from the beginning.
  int every(int64_t now_ns, int64_t dropped, double period_s) {
    if (begin_ns_ < 0) begin(now_ns, dropped);
    const int64_t span = now_ns - begin_ns_;
    if (span < kWindow_ns || sets_ < kMinSets) return every_;
    const double busy_s = static_cast<double>(span - waited_ns_) * 1e-9 / static_cast<double>(sets_);
    const auto lost = static_cast<double>(dropped - dropped_before_);
    const int needed = static_cast<int>(busy_s / period_s) + 1;
    const int max = std::max(needed, static_cast<int>(kMaxSlack * busy_s / period_s) + 1);
    if (lost > kBearableDrops * static_cast<double>(sets_))
      every_ = std::min({std::max(needed, every_ + 1), std::max(every_, max), kMax});
    else if (every_ > 1 && busy_s < kMaxBusy * period_s * (every_ - 1))
      --every_;
    begin(now_ns, dropped);
    return every_;
  }

 private:
  void begin(int64_t now_ns, int64_t dropped) {
    begin_ns_ = now_ns;
    dropped_before_ = dropped;
    waited_ns_ = sets_ = 0;
  }
  int every_ = 1;
  int64_t begin_ns_ = -1, waited_ns_ = 0, sets_ = 0, dropped_before_ = 0;
};

// Load of the machine's processors, by any program, over kSpan_ns each: of all processors or, if larger, this
// program's share of those that it may use.
class ProcessorLoad {
 public:
  static constexpr int64_t kSpan_ns = 3'000'000'000;

  void sample(int64_t now_ns);
  double share() const { return share_; }  // 0 to 1; -1: not known

 private:
  struct Times {
    double busy = 0, all = 0;  // all processors' since the machine started, in one unit
    double own_s = 0;          // this program's
  };
  static Times times();

  int64_t begin_ns_ = -1;
  Times begin_;
  double share_ = -1;
};

// Age of a live picture by its burnt-in time code (core/image/time_code.h), from capture to now, with all
// clocks and buffers between.
//
// The code is the local time of day, on a clock that agrees with this machine's; or that of test cameras'
// footage, whose 00:00:00 is another instant (zero_utc_s) and which restarts: a leap of the code by kLeap_ms
// or more against the capture times gives the footage's length, to kGrain_ms. Before the first leap the
// number of restarts is unknown.

class CodeLatency {
 public:
  static constexpr int64_t kLeap_ms = 1000, kGrain_ms = 10;
  static constexpr int64_t kMax_ms = 60'000;  // maximum age: beyond, the code is not a clock, or not ours

  // 0: the time of day.
  explicit CodeLatency(double zero_utc_s = 0);

  // `capture_ns`: by the camera's clock, from any origin. Milliseconds; nothing: the code cannot be correct.
  std::optional<double> add(int64_t code_ms, int64_t capture_ns, int64_t now_utc_ns);
  // The length was found since the last call: earlier ages may belong to another round.
  bool take_found_length() { return std::exchange(found_length_, false); }

 private:
  void find_length(int64_t code_ms, int64_t capture_ns);

  int64_t zero_utc_ms_;
  int64_t length_ms_ = 0;           // the footage's; 0: unknown
  std::optional<int64_t> last_ms_;  // the code less the capture time
  bool found_length_ = false;
};

}  // namespace vantage
