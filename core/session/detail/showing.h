// One frame of a recording on screen: its pictures at once, then what the chain finds in it, exactly where
// that is quick, else as a preview with the exact frame to follow.
#pragma once

#include <cstdint>

#include "core/session/detail/recorded_results.h"

namespace vantage {

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

}  // namespace vantage
