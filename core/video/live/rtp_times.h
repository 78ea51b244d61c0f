// An RTP stream's time stamps as ticks that do not wrap, and when the camera took its pictures, on its own
// clock, by what its RTCP sender reports say (RFC 3550, 5.1 and 6.4.1).
//
// The latest report counts: it ties one time stamp to the camera's clock, and the stamps run on from there.
// So a stream whose ticks drift against the camera's clock is right again with each report. Pictures before
// the first report have no such instant.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/video/detail/packet_reader.h"

namespace vantage {

class RtpTimes {
 public:
  // Ticks a second that a stream can have: those of cameras are 90,000. Others are refused.
  static constexpr int64_t kMinRate = 1000, kMaxRate = 10'000'000;

  explicit RtpTimes(int64_t clock_rate) : clock_rate_(clock_rate) {}

  // Ticks of a packet's time stamp; the first packet's are 0, those of reordered pictures may be negative.
  int64_t ticks(uint32_t stamp) {
    if (!last_stamp_) last_stamp_ = stamp;
    ticks_ = std::clamp(ticks_ + static_cast<int32_t>(stamp - *last_stamp_), -kMaxTicks, kMaxTicks);
    last_stamp_ = stamp;
    if (early_report_) tie(*early_report_, early_ntp_);
    early_report_.reset();
    return ticks_;
  }

  // A sender report: the time stamp of `ntp` (seconds since 1900, 32 bits behind the point).
  void add_report(uint32_t stamp, uint64_t ntp) {
    if (last_stamp_) return tie(stamp, ntp);
    early_report_ = stamp;
    early_ntp_ = ntp;
  }

  // Nanoseconds since 1970 on the camera's clock; kNoTime: no report yet.
  int64_t sender_utc_ns(int64_t ticks) const {
    return reported_ ? reported_utc_ns_ + nanoseconds(ticks - reported_ticks_, clock_rate_) : kNoTime;
  }

  static int64_t nanoseconds(int64_t ticks, int64_t clock_rate) {
    return ticks / clock_rate * kSecond_ns + ticks % clock_rate * kSecond_ns / clock_rate;
  }

 private:
  static constexpr int64_t kSecond_ns = 1'000'000'000, kSecondsTo1970 = 2'208'988'800;
  // Stamps that jump by hours again and again are nonsense: ticks stay where they are, within a century.
  static constexpr int64_t kMaxTicks = int64_t{1} << 41;

  void tie(uint32_t stamp, uint64_t ntp) {
    const auto seconds = static_cast<int64_t>(ntp >> 32), fraction = static_cast<int64_t>(ntp & 0xffffffff);
    reported_ticks_ = ticks_ + static_cast<int32_t>(stamp - *last_stamp_);
    reported_utc_ns_ = (seconds - kSecondsTo1970) * kSecond_ns + ((fraction * kSecond_ns) >> 32);
    reported_ = true;
  }

  const int64_t clock_rate_;
  std::optional<uint32_t> last_stamp_, early_report_;  // `early`: before the first packet
  uint64_t early_ntp_ = 0;
  int64_t ticks_ = 0;  // of the last packet
  bool reported_ = false;
  int64_t reported_ticks_ = 0, reported_utc_ns_ = 0;
};

// Pictures of a live stream that never came: those that build on them show what is not there, people where
// they were before, smeared over where they are. From a gap in the stream's times until the next picture that
// stands by itself (a key picture) they are called unfounded.
//
// A gap: a step of more than kGap_s, and of more than kGapSteps of the steps before it, so that a camera that
// lowers its rate is believed. Fewer missing pictures do little harm. A stream that never sends a key picture
// again is believed after kLongest_s.

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
