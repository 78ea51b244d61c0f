// Pictures of a live stream that never came: those that build on them show what is not there, people where
// they were before, smeared over where they are. From a gap in the stream's times until the next picture that
// stands by itself (a key picture) they are called unfounded.
//
// A gap: a step of more than kGap_s, and of more than kGapSteps of the steps before it, so that a camera that
// lowers its rate is believed. Fewer missing pictures do little harm. A stream that never sends a key picture
// again is believed after kLongest_s.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace vantage {

class MissingPictures {
 public:
  static constexpr double kGap_s = 0.25, kGapSteps = 3.5, kLongest_s = 10;

  // The next picture in display order: its stream time (below 0: it has none) and whether it is a key
  // picture. True: it is unfounded.
  bool look(int64_t time_ns, bool key) {
    if (time_ns < 0) return false;
    const double step_s = static_cast<double>(time_ns - last_ns_) * 1e-9;
    const bool first = std::exchange(last_ns_, time_ns) < 0;
    if (first || step_s <= 0) return false;
    const bool gap = step_s > std::max(kGap_s, kGapSteps * usual_step_s_) && usual_step_s_ > 0;
    if (gap)
      since_ns_ = time_ns;
    else
      usual_step_s_ += (usual_step_s_ > 0 ? kShare : 1) * (step_s - usual_step_s_);
    const bool too_long = static_cast<double>(time_ns - since_ns_) * 1e-9 > kLongest_s;
    if (key || too_long) since_ns_ = -1;
    return since_ns_ >= 0;
  }

 private:
  static constexpr double kShare = 0.2;  // of each step in the running mean
  int64_t last_ns_ = -1, since_ns_ = -1;
  double usual_step_s_ = 0;  // 0: not known
};

}  // namespace vantage
