// The seek bar: a time ruler, the results strip (solid: current; hatched: out of date; dots: not analysed),
// spans that were exported, flags of bookmarks, a strip of the number of people, marks of events, the
// playhead and the marked range. Pressing and dragging seeks; the wheel zooms. Below, where not all is seen,
// a bar says which part is, and moves it.
#pragma once

#include <QPixmap>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/results/results_events.h"
#include "core/session/session.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {

// Frames that have results.
struct ResultCounts {
  int64_t current = 0, out_of_date = 0;
};

// A marked range of frames; either end may be missing.
struct MarkedRange {
  std::optional<int64_t> in, out;  // out is included
  bool empty() const { return !in && !out; }
};

// An event on the time axis.
struct EventTick {
  int64_t frame = 0;
  EventStanding standing = EventStanding::fresh;
  QString words;  // "door: person 3 crosses"
  bool operator==(const EventTick&) const = default;
};

// A bookmark on the time axis.
struct FrameFlag {
  int64_t frame = 0;
  QString words;  // its note; may be empty
  bool operator==(const FrameFlag&) const = default;
};

// Frames that were handed over.
struct ExportedFrames {
  int64_t first = 0, last = 0;  // both are among them
  QString words;                // "exported to case7"
  bool operator==(const ExportedFrames&) const = default;
};

class Timeline final : public QWidget {
  Q_OBJECT
 public:
  // Left and right of its track, in px: lanes below it line up. Left of it are people's names, too.
  static constexpr int kLeft = 104, kRight = 10, kNameWidth = 88;
  explicit Timeline(QWidget* parent = nullptr);

  // The first frame of live cameras is the oldest one that is kept.
  void set_extent(int64_t end_frame, double frame_rate, int64_t first_frame = 0);
  void set_clock(const std::optional<RecordingClock>& clock);
  void set_frame(int64_t frame);
  // Each stands for so many frames, from `first` on.
  void set_frames(std::vector<FrameSummary> frames, int64_t every = 1, int64_t first = 0);
  // Events by the frame in which they were raised, ascending.
  void set_events(std::vector<EventTick> events);
  void set_exported(std::vector<ExportedFrames> exported);
  void set_flags(std::vector<FrameFlag> flags);  // ascending
  // Without a calibration no one is counted, and the strip of people is not there.
  void set_people_shown(bool shown);
  void set_range(const MarkedRange& range);
  // What a plot below is pointed at; nothing: nothing is.
  void set_pointed(std::optional<int64_t> frame);
  std::optional<int64_t> pointed() const { return pointed_; }

  // Counts of the frames from `first` on, before `end`.
  ResultCounts results_in(int64_t first, int64_t end) const;
  // The first of these without current results; nothing: all have some.
  std::optional<int64_t> first_not_current(int64_t first, int64_t end) const;

  // Shared with what lies below.
  TimeAxis* axis() const { return axis_; }
  int64_t frame() const { return frame_; }
  bool dragging() const { return dragging_; }
  // Horizontal middle of a frame, and the frame at a position.
  double x_of(int64_t frame) const;
  int64_t frame_at(double x) const;
  // "frame 12, 14:32:05.480, analysed, 4 people".
  QString describe(int64_t frame) const;
  QSize sizeHint() const override;
  // How often all but the playhead was drawn: not with each frame.
  int pictures_drawn() const { return pictures_drawn_; }

 signals:
  void seek_requested(qint64 frame);
  void frame_pointed(qint64 frame);  // what the pointer is over; -1: nothing any more

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void change();  // of what is under the playhead
  void draw_picture();
  void paint_ruler(QPainter& painter) const;
  void paint_labels(QPainter& painter) const;
  void paint_strip(QPainter& painter) const;
  void paint_people(QPainter& painter) const;
  void paint_events(QPainter& painter) const;
  void paint_exported(QPainter& painter) const;
  void paint_flags(QPainter& painter) const;
  void paint_range(QPainter& painter) const;
  void paint_part(QPainter& painter) const;
  QColor color_of(EventStanding standing) const;
  // Events within a few px of the frame.
  std::vector<const EventTick*> events_near(int64_t frame) const;
  QString events_text(int64_t frame) const;
  QString tool_tip(int64_t frame) const;
  void paint_playhead(QPainter& painter) const;
  void paint_pointed(QPainter& painter) const;
  void seek_to(double x);
  void move_part_to(double x);
  QRectF track() const;
  FrameSummary summary(int64_t frame) const;
  int bottom() const;

  TimeAxis* axis_;
  bool empty() const { return axis_->frames() == 0; }

  int64_t frame_ = 0;
  FrameTimes times_;
  bool dragging_ = false, moving_ = false;  // the playhead, the part that is seen
  bool people_shown_ = true;
  int max_people_ = 0;
  std::vector<EventTick> events_;
  std::vector<ExportedFrames> exported_;
  std::vector<FrameFlag> flags_;
  std::vector<FrameSummary> frames_;
  int64_t every_ = 1, first_ = 0;  // frames that one of them stands for; the first of all
  MarkedRange range_;
  std::optional<int64_t> pointed_;
  QPixmap picture_;  // all but the playhead; null: to be drawn
  int pictures_drawn_ = 0;
};

}  // namespace vantage::ui
