// How many of the sets a chain can analyse, from how long it waits for them. Looks back over kWindow_ns: when
// sets were dropped, one more is left out between two; when the chain would have had a quarter of its time
// left at one less, one less.
#pragma once

#include <algorithm>
#include <cstdint>

namespace vantage {

class Pace {
 public:
  static constexpr int64_t kWindow_ns = 3'000'000'000;
  static constexpr int kMax = 25;
  static constexpr double kBearableDrops = 0.1;  // of the window's sets
  static constexpr double kMaxBusy = 0.75;

  void note_wait(int64_t wait_ns) { waited_ns_ += wait_ns, ++sets_; }
  // Every how many sets shall be analysed; `dropped` counts from the beginning.
  int every(int64_t now_ns, int64_t dropped, double period_s) {
    if (begin_ns_ < 0) begin(now_ns, dropped);
    const int64_t span = now_ns - begin_ns_;
    if (span < kWindow_ns || sets_ == 0) return every_;
    const double busy_s = static_cast<double>(span - waited_ns_) * 1e-9 / static_cast<double>(sets_);
    const auto lost = static_cast<double>(dropped - dropped_before_);
    if (lost > kBearableDrops * static_cast<double>(sets_))
      every_ = std::min(std::max(static_cast<int>(busy_s / period_s) + 1, every_ + 1), kMax);
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

}  // namespace vantage
