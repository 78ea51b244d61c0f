// Where the playhead is and how fast it goes, and the range that is marked: transport, timeline and keys,
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
  void update_availability() override;

  void go_to(int64_t frame);
  void step(int64_t frames);                // pauses first
  int64_t frame() const { return frame_; }  // the one last asked for or shown

 signals:
  void range_marked(const vantage::ui::MarkedRange& range);

 private:
  void show_status();
  void show_frame(int64_t base_frame);  // a timeline that is being dragged stays where it is held
  void play_on(int direction);
  int64_t second() const;  // in frames
  void mark(std::optional<int64_t> MarkedRange::* end);

  bool playing_ = false;  // as it was asked for last
  double rate_ = 1;
  int64_t frame_ = 0;
};

}  // namespace vantage::ui
