// A recording that plays: pictures by the clock, or every frame through the chain.
#pragma once

#include <cstdint>

#include "core/session/detail/recorded_results.h"

namespace vantage {

// One frame of a recording on screen: its pictures at once, then what the chain finds in it, exactly where
// that is quick, else as a preview with the exact frame to follow.

class Showing final : public SessionMode {
 public:
  Showing(SessionState& state, RecordedResults& results) : state_(state), results_(results) {}

  void start();   // an analysis was opened, nothing of it is on screen
  void forget();  // nothing is to be shown
  void seek(int64_t frame);
  void want() { wanted_ = true; }  // the frame may look otherwise now
  void want_anew() { wanted_ = true, refine_wanted_ = false; }
  bool shown_once() const { return shown_once_; }
  void note_shown() { shown_once_ = true; }

  // The pictures alone of the frame asked for, unless they are on screen: what it shows waits for something.
  void show_pictures_meanwhile();
  // The frame asked for; false: it is on screen.
  bool show_wanted();
  // The exact frame in place of a preview; false: it is not wanted. A command that ends it has it wanted
  // again.
  bool refine_wanted();
  // A frame that the chain has computed.
  void deliver(FrameResultRef result);

  void describe(SessionStatus&) override {}

 private:
  void show_recorded_people();
  void show_pictures();
  Result<FrameResultRef> compute();
  void show_last_frame();

  SessionState& state_;
  RecordedResults& results_;
  bool wanted_ = false;
  bool refine_wanted_ = false;
  bool shown_once_ = false;    // something of this project is on screen
  bool first_people_ = false;  // none of the results' people was shown since it was opened
};

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
