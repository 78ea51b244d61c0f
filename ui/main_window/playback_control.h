// Where the playhead is and how fast it goes, and the range that is marked: transport, timeline and keys,
// passed on to the session.
#pragma once

#include <QObject>

#include "core/session/session.h"
#include "ui/main_window/window_actions.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

class HeldKeys;
class Transport;

class PlaybackControl final : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    Timeline* timeline;
    Transport* transport;
    HeldKeys* held;
    Session* session;
  };
  PlaybackControl(const WindowActions& actions, Parts parts, QObject* parent);

  void set_status(const SessionStatus& status);
  void show_frame(int64_t base_frame);  // a timeline that is being dragged stays where it is held
  void forget();
  void go_to(int64_t frame);
  void step(int64_t frames);  // pauses first

  int64_t frame() const { return frame_; }  // the one last asked for or shown
  const MarkedRange& range() const { return range_; }
  FrameRange frames_of_range() const;  // everything where nothing is marked

 signals:
  void range_changed();

 private:
  void play_on(int direction);
  int64_t second() const;  // in frames
  void mark(std::optional<int64_t> MarkedRange::* end);
  void set_range(const MarkedRange& range);

  Parts parts_;
  SessionStatus status_;
  MarkedRange range_;
  double rate_ = 1;
  int64_t frame_ = 0;
};

}  // namespace vantage::ui
