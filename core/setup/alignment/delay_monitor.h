// Watches live cameras: whether the pictures that their clocks bring together show one instant. A camera
// whose clock is wrong by less than can be told, or whose pictures are longer in transit than the others' and
// say nothing about it, is late (or early) by a constant time, which what it shows tells: the same sums along
// epipolar lines as for recordings, over the last 20 s of sets, and one offset a camera.
//
// A delay is proposed when two estimates in a row, a second apart, agree on it: by more than kWorthWhile of a
// set's period, with a confidence of at least sync.min_confidence. Drift is left to the clock (core/live):
// what remains of it is proposed again as soon as it is large enough. Where only every n-th set is analysed,
// n of them are the period.
#pragma once

#include "core/setup/alignment/offset_monitor.h"

namespace vantage {

class DelayMonitor {
 public:
  static constexpr double kWorthWhile = 0.5, kAlike = 0.5;  // periods
  static constexpr double kMinWindow_s = 8, kReach_s = 2.4, kEvery_s = 1;

  // `options.frame_rate`: sets a second; max_offset is what kReach_s makes. Fails as SignalWindow::make().
  static Result<std::unique_ptr<DelayMonitor>> make(const Project& project, SignalWindowOptions options);

  // The next set, of which one in `every` is analysed; what is to be proposed after it (OffsetProposal::
  // delay_s). What is proposed once is proposed again as long as it is so.
  Result<std::vector<OffsetProposal>> add(const FrameResult& result, int every);
  // The cameras are brought together otherwise from that set on.
  void restart(int64_t first_set);

 private:
  DelayMonitor(const Project& project, const SignalWindowOptions& options, SignalWindow window);
  std::vector<OffsetProposal> estimate(int64_t set);
  double rate() const { return options_.frame_rate / every_; }

  const SignalWindowOptions options_;
  const SyncParameters parameters_;
  SignalWindow window_;
  int every_ = 1;
  int64_t first_set_ = -1;      // that the window holds; -1: none yet
  int64_t not_before_ = 0;      // sets before it are not examined
  int64_t estimated_ = -1;      // the set of the last estimate
  std::vector<double> before_;  // by camera: what the last estimate said, periods; 0: nothing
};

}  // namespace vantage
