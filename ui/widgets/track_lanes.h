// A lane a person over the time of the recording: runs in which the person was found, where it appeared, was
// lost and came back, and where identities were repaired. Pressing goes to the frame and chooses the person;
// with Ctrl a second one. What is not settled yet is hatched. Up and Down choose, Left and Right step, Return
// asks to follow. The wheel scrolls, with Ctrl it zooms. Where not all lanes have room, those of people who
// are there now stand first.
#pragma once

#include <QAbstractScrollArea>
#include <QPixmap>
#include <optional>
#include <vector>

#include "core/display/lanes.h"
#include "core/tracks/repairs/repairs.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {

// The persons that commands act on; 0: none.
struct ChosenPeople {
  int64_t first = 0, second = 0;
  bool operator==(const ChosenPeople&) const = default;
};

// A position in a lane worth looking at: a repair, or a switch found against truth.
struct LaneMark {
  int64_t id = 0, frame = 0;
  QString words;
};

class TrackLanes final : public QAbstractScrollArea {
  Q_OBJECT
 public:
  // `empty` is said where there are no lanes.
  TrackLanes(const QString& name, const QString& empty, QWidget* parent = nullptr);

  void set_lanes(std::vector<Lane> lanes, std::vector<LaneMark> marks, PersonNames names = {});
  // The extent of a time of their own.
  void set_extent(int64_t first_frame, int64_t end_frame);
  // The time that they share with others; null: their own.
  void share(TimeAxis* axis);
  void set_present_first(bool on);
  // IDs may still change from this frame on; nothing: none does.
  void set_settled_end(std::optional<int64_t> frame);
  void set_frame(int64_t frame);
  void set_times(const FrameTimes& times);
  void choose(const ChosenPeople& chosen);  // brings the first into view

  const std::vector<Lane>& lanes() const { return lanes_; }
  const std::vector<LaneMark>& marks() const { return marks_; }
  const QString& empty_text() const { return empty_; }
  const ChosenPeople& chosen() const { return chosen_; }
  // The people in the order of their lanes.
  std::vector<int64_t> order() const;
  // "person 3, frames 12 to 88 (14:32:05.480 to 14:32:08.520), lost once in between".
  QString describe(const Lane& lane) const;
  // How often the lanes were drawn, and not only the playhead over them.
  int pictures_drawn() const { return pictures_drawn_; }
  QSize sizeHint() const override;

 signals:
  void chosen_by_hand(const vantage::ui::ChosenPeople& chosen);
  void seek_requested(qint64 frame);
  void step_requested(int frames);
  void follow_requested();
  // For a person: by the right button or the key for menus.
  void menu_requested(qint64 id, const QPoint& at);

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  double x_of(double frame) const;
  int64_t frame_at(double x) const;
  double track_px() const;
  bool all_fit() const;
  void order_rows();
  void redraw();
  void draw_picture(double ratio);
  int row_at(int y) const;  // -1: none
  int row_of(int64_t id) const;
  const Lane& lane_of(int row) const { return lanes_[rows_[row]]; }
  bool is_there(const Lane& lane) const { return lane.first() <= frame_ && frame_ <= lane.last(); }
  void bring_into_view(int row);
  QRectF on_track() const;
  void paint_unsettled(QPainter& painter) const;
  void paint_row(QPainter& painter, int row, int top) const;
  void paint_runs(QPainter& painter, const Lane& lane, double middle) const;
  void update_scroll_bar();
  void move_choice(int by, bool second);

  const QString empty_;
  std::vector<Lane> lanes_;
  std::vector<LaneMark> marks_;
  PersonNames names_;
  std::vector<size_t> rows_;  // indices of the lanes
  int there_rows_ = -1;       // so many first ones are there now; -1: not in that order
  bool present_first_ = true;
  TimeAxis* own_;
  TimeAxis* axis_;
  int64_t frame_ = 0;
  std::optional<int64_t> settled_end_;
  FrameTimes times_;
  ChosenPeople chosen_;
  QPixmap picture_;  // what lies under the playhead; null: to be drawn again
  int picture_scrolled_ = 0, pictures_drawn_ = 0;
};

}  // namespace vantage::ui
