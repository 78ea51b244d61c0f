// A lane a person over the time of the recording: runs in which the person was found, where it appeared, was
// lost and came back, and where identities were repaired. Pressing goes to the frame and chooses the person;
// with Ctrl a second one. What is not settled yet is hatched. Up and Down choose, Left and Right step, Return
// asks to follow.
#pragma once

#include <QAbstractScrollArea>
#include <optional>
#include <vector>

#include "core/display/lanes.h"
#include "ui/widgets/time_text.h"

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

  void set_lanes(std::vector<Lane> lanes, std::vector<LaneMark> marks);
  void set_extent(int64_t first_frame, int64_t end_frame);
  // From this frame on numbers may still change; nothing: none does.
  void set_settled_end(std::optional<int64_t> frame);
  void set_frame(int64_t frame);
  void set_times(const FrameTimes& times);
  void choose(const ChosenPeople& chosen);  // brings the first into view

  const std::vector<Lane>& lanes() const { return lanes_; }
  const std::vector<LaneMark>& marks() const { return marks_; }
  const ChosenPeople& chosen() const { return chosen_; }
  // "person 3, frames 12 to 88 (14:32:05.480 to 14:32:08.520), lost once in between".
  QString describe(const Lane& lane) const;
  QSize sizeHint() const override;

 signals:
  void chosen_by_hand(const vantage::ui::ChosenPeople& chosen);
  void seek_requested(qint64 frame);
  void step_requested(int frames);
  void follow_requested();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  double x_of(double frame) const;
  int64_t frame_at(double x) const;
  int row_at(int y) const;  // -1: none
  int row_of(int64_t id) const;
  void paint_unsettled(QPainter& painter) const;
  void paint_row(QPainter& painter, int row, int top) const;
  void paint_runs(QPainter& painter, const Lane& lane, double middle) const;
  void update_scroll_bar();
  void move_choice(int by, bool second);

  const QString empty_;
  std::vector<Lane> lanes_;
  std::vector<LaneMark> marks_;
  int64_t first_frame_ = 0, end_frame_ = 0, frame_ = 0;
  std::optional<int64_t> settled_end_;
  FrameTimes times_;
  ChosenPeople chosen_;
};

}  // namespace vantage::ui
