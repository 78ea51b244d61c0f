// How old a live picture is by the time code that is burnt into it (core/image/time_code.h): from when it was
// taken, as the picture itself says, to now. Whatever clocks and buffers lie between is in it.
//
// The code is the time of day, local, on a clock that agrees with this machine's; or the footage of test
// cameras, whose 00:00:00 is another instant (zero_utc_s) and which restarts: where the code leaps back by
// kLeap_ms or more against the instants the pictures were taken by their cameras' clocks it has, by the
// footage's length, to kGrain_ms. Before the first leap one cannot know how often it had restarted.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

namespace vantage {

class CodeLatency {
 public:
  static constexpr int64_t kLeap_ms = 1000, kGrain_ms = 10;
  static constexpr int64_t kMax_ms = 60'000;  // older than that: it is no clock, or not ours

  // 0: the time of day.
  explicit CodeLatency(double zero_utc_s = 0);

  // `capture_ns`: when the picture was taken, by the camera's clock, from any origin. Milliseconds; nothing:
  // the code cannot be right.
  std::optional<double> add(int64_t code_ms, int64_t capture_ns, int64_t now_utc_ns);
  // Since the last call the length has been found: what was told before may be of another round.
  bool take_found_length() { return std::exchange(found_length_, false); }

 private:
  void find_length(int64_t code_ms, int64_t capture_ns);

  int64_t zero_utc_ms_;
  int64_t length_ms_ = 0;           // of the footage; 0: not known
  std::optional<int64_t> last_ms_;  // the code less the capture time
  bool found_length_ = false;
};

}  // namespace vantage
