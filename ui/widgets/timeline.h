// The seek bar: a time ruler, the results strip (solid: current; hatched: out of date; dots: not analysed), a
// strip of the number of people, ticks of events, the playhead and the marked range. Pressing and dragging
// seeks.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/session/session.h"
#include "ui/widgets/time_text.h"

namespace vantage::ui {

// A marked range of frames; either end may be missing.
struct MarkedRange {
  std::optional<int64_t> in, out;  // out is included
  bool empty() const { return !in && !out; }
};

class Timeline final : public QWidget {
  Q_OBJECT
 public:
  // Left and right of its track, in px: lanes below it line up.
  static constexpr int kLeft = 74, kRight = 10;
  explicit Timeline(QWidget* parent = nullptr);

  void set_extent(int64_t frame_count, double frame_rate);
  void set_clock(const std::optional<RecordingClock>& clock);
  void set_frame(int64_t frame);
  // Each stands for so many frames.
  void set_frames(std::vector<FrameSummary> frames, int64_t every = 1);
  // Frames in which events were raised, ascending: a tick each over the results.
  void set_events(std::vector<int64_t> frames);
  // Without a calibration nobody is counted, and the strip of people is not there.
  void set_people_shown(bool shown);
  void set_range(const MarkedRange& range);

  int64_t frame() const { return frame_; }
  bool dragging() const { return dragging_; }
  // Horizontal middle of a frame, and the frame at a position.
  double x_of(int64_t frame) const;
  int64_t frame_at(double x) const;
  // "frame 12, 14:32:05.480, analysed, 4 people".
  QString describe(int64_t frame) const;
  QSize sizeHint() const override;

 signals:
  void seek_requested(qint64 frame);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void paint_ruler(QPainter& painter) const;
  void paint_labels(QPainter& painter) const;
  void paint_strip(QPainter& painter) const;
  void paint_people(QPainter& painter) const;
  void paint_events(QPainter& painter) const;
  void paint_range(QPainter& painter) const;
  QString events_at(int64_t frame) const;
  void paint_playhead(QPainter& painter) const;
  void seek_to(double x);
  QRectF track() const;
  FrameSummary summary(int64_t frame) const;
  int bottom() const;
  bool is_current_palette_dark() const;

  int64_t frame_count_ = 0, frame_ = 0;
  FrameTimes times_;
  bool dragging_ = false;
  bool people_shown_ = true;
  int max_people_ = 0;
  std::vector<int64_t> events_;
  std::vector<FrameSummary> frames_;
  int64_t every_ = 1;  // frames that one of them stands for
  MarkedRange range_;
};

}  // namespace vantage::ui
