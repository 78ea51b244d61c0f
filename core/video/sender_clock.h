// When a camera took its pictures, on its own clock, from what its RTCP sender reports say.
//
// The first report ties the stream's time 0 to the camera's clock (zero_utc_ns). Each packet may carry the
// same by the latest report (a producer reference time); FFmpeg's parser hands it on with another picture,
// some places off where pictures are reordered, so only its change counts: the median over some packets less
// the median over the first ones is how far stream time and clock have drifted apart.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace vantage {

class SenderClock {
 public:
  // A packet's stream time with the reference time that came with it.
  void add(int64_t stream_ns, int64_t reference_utc_ns) {
    recent_[count_++ % recent_.size()] = reference_utc_ns - stream_ns;
    if (count_ == recent_.size()) first_ = median();
  }
  int64_t utc_ns(int64_t stream_ns, int64_t zero_utc_ns) const {
    return zero_utc_ns + stream_ns + drift_ns();
  }
  int64_t drift_ns() const { return count_ < recent_.size() ? 0 : median() - first_; }

 private:
  int64_t median() const {
    auto sorted = recent_;
    const auto middle = sorted.begin() + static_cast<ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }

  std::array<int64_t, 15> recent_{};
  size_t count_ = 0;
  int64_t first_ = 0;
};

}  // namespace vantage
