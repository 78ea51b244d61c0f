// Plays a recording: pictures by the clock, or every frame through the chain.
#pragma once

#include <cstdint>

#include "core/session/detail/recorded_results.h"

namespace vantage {

// Shows one frame of a recording: its pictures at once, then the chain's result, exact where that is quick,
// else a preview followed by the exact frame.

class Showing final : public SessionMode {
 public:
  Showing(SessionState& state, RecordedResults& results) : state_(state), results_(results) {}

  void start();   // an analysis was opened and nothing of it is on screen
  void forget();  // nothing is to be shown
  void seek(int64_t frame);
  void want() { wanted_ = true; }  // the frame may look different now
  void want_anew() { wanted_ = true, refine_wanted_ = false; }
  bool shown_once() const { return shown_once_; }
  void note_shown() { shown_once_ = true; }

  // Shows only the pictures of the requested frame, unless they are on screen, while results are awaited.
  void show_pictures_meanwhile();
  // Shows the requested frame; false: it is on screen.
  bool show_wanted();
  // Replaces a preview by the exact frame; false: it is not wanted. A command that interrupts it makes it
  // wanted again.
  bool refine_wanted();
  // Shows a frame that the chain has computed.
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
  bool shown_once_ = false;  // something of this project is on screen
  bool first_people_ =
      false;  // none of the people in the results has been shown since the project was opened
};

class Playing final : public SessionMode {
 public:
  Playing(SessionState& state, RecordedResults& results, Showing& showing)
      : state_(state), results_(results), showing_(showing) {}

  void play();  // starts over if the last frame is on screen
  void pause();
  void leave() { on_ = false, analysed_fps_ = 0; }  // another mode begins
  void set_rate(double rate);  // 1: real time; negative plays backwards; 0 and NaN are ignored
  void set_analysing(bool analysing) { analysing_ = analysing; }

  bool on() const { return on_; }
  bool analyses() const { return on_ && analysing_; }
  // Plays until the next command; false: nothing plays.
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
