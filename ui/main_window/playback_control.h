// The playhead's position and speed, and the marked range: transport, timeline and keys,
// passed on to the session.
#pragma once

#include "ui/main_window/control.h"

namespace vantage::ui {

class PlaybackControl final : public Control {
  Q_OBJECT
 public:
  explicit PlaybackControl(const WindowParts& parts);

  void forget() override { frame_ = 0; }
  void refresh(Changes what) override;

  void go_to(int64_t frame);
  bool following() const;     // what live cameras see now is shown
  void step(int64_t frames);  // pauses first
  // In place of the range that was marked; of live cameras none can be.
  void mark_range(const MarkedRange& range);
  int64_t frame() const { return frame_; }  // the one last asked for or shown

 signals:
  void range_marked(const vantage::ui::MarkedRange& range);

 private:
  Need only_recordings() const;
  void show_status();
  void show_live(bool live);            // what the same keys do with live cameras
  void show_frame(int64_t base_frame);  // a timeline that is being dragged stays where it is held
  void play_on(int direction);
  int64_t second() const;  // in frames
  void mark(std::optional<int64_t> MarkedRange::* end);

  QAction *first_, *last_;
  bool live_ = false;
  bool playing_ = false;  // as it was asked for last
  double rate_ = 1;
  int64_t frame_ = 0;
};

}  // namespace vantage::ui
