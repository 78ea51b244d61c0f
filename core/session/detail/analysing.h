// A range of a recording through the chain, into the results.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/session/detail/playing.h"

namespace vantage {

class Analysing final : public SessionMode {
 public:
  // `carry_out` is called for commands that do not end an analysis, between two frames.
  Analysing(SessionState& state, RecordedResults& results, Showing& showing, Playing& playing,
            std::function<void(const SessionCommand&)> carry_out)
      : state_(state),
        results_(results),
        showing_(showing),
        playing_(playing),
        carry_out_(std::move(carry_out)) {}

  // Until the range is done or a command ends it. However it ends, what was computed is kept and complete.
  void analyse(FrameRange range);
  bool on() const { return on_; }
  // The frames that an error of the device left of an analysis.
  std::optional<FrameRange> take_unfinished() { return std::exchange(unfinished_, std::nullopt); }
  void forget_unfinished() { unfinished_.reset(); }

  void describe(SessionStatus& status) override;

 private:
  Status write_range(FrameRange range);
  Status begin_results(FrameRange range);
  Status analyse_frames(FrameRange range, const StopSource& stop);
  void report_progress(int64_t done, int64_t total, int64_t start_ns);
  void report_end(const Status& status);

  SessionState& state_;
  RecordedResults& results_;
  Showing& showing_;
  Playing& playing_;
  const std::function<void(const SessionCommand&)> carry_out_;
  bool on_ = false;
  double analysed_fps_ = 0, seconds_left_ = -1;
  std::string activity_;
  std::optional<FrameRange> unfinished_;
  int64_t last_frame_ns_ = 0;  // when one was shown
};

}  // namespace vantage
