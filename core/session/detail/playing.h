// A recording that plays: pictures by the clock, or every frame through the chain.
#pragma once

#include <cstdint>

#include "core/session/detail/showing.h"

namespace vantage {

class Playing final : public SessionMode {
 public:
  Playing(SessionState& state, RecordedResults& results, Showing& showing)
      : state_(state), results_(results), showing_(showing) {}

  void play();  // from the start where the last frame is on screen
  void pause();
  void leave() { on_ = false, analysed_fps_ = 0; }  // something else takes its place
  void set_rate(double rate);  // 1: real time; negative plays backwards; 0 and NaN are ignored
  void set_analysing(bool analysing) { analysing_ = analysing; }

  bool on() const { return on_; }
  bool analyses() const { return on_ && analysing_; }
  // Until the next command; false: nothing plays.
  bool work();

  void describe(SessionStatus& status) override;

 private:
  void play_pictures();
  void play_analysing();
  void stop();
  bool wait_until(int64_t time_ns);

  SessionState& state_;
  RecordedResults& results_;
  Showing& showing_;
  bool on_ = false;
  bool analysing_ = false;  // while playing
  double rate_ = 1;
  double analysed_fps_ = 0;
};

}  // namespace vantage
