// A plot of figures of results that is linked with the time of the recording. The base of all kinds: what is
// drawn from the values is kept as a picture; the frame that is shown, what is pointed at and the marked
// range are drawn over it. Above the plot stand the figures with their values in the frame that is pointed
// at, here or in the timeline, else in the one that is shown.
#pragma once

#include <QPixmap>
#include <memory>
#include <optional>

#include "ui/main_window/plots/plot_reader.h"
#include "ui/widgets/plot_axes.h"
#include "ui/widgets/plot_widget.h"
#include "ui/widgets/time_axis.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {

class PlotCanvas : public PlotWidget {
  Q_OBJECT
 public:
  // `aligned_to`: an ancestor whose left edge is that of the timeline, so that plots over time line up with
  // it.
  static PlotCanvas* make(const PlotSpec& spec, const QWidget* aligned_to);
  const PlotSpec& spec() const { return spec_; }

  // The values of the figures alone. Null or without values: `empty` says why.
  void show_scalars(ScalarsRef scalars, const QString& empty);
  void set_axis(TimeAxis* axis);
  void set_frame(int64_t frame);
  void set_times(const FrameTimes& times);
  void set_range(const MarkedRange& range);
  void set_pointed(std::optional<int64_t> frame);

  const QString& empty_text() const { return empty_; }  // empty: something is drawn
  QString head_text() const;                            // what stands above, as one line
  const PlotArea& plot() const;                         // as it is drawn now
  std::optional<int64_t> pointed() const { return pointed_; }
  int pictures_drawn() const { return pictures_drawn_; }
  // Steps to the next frame of a histogram's chosen bin, or the one before.
  virtual void step(int) {}
  virtual bool can_step() const { return false; }
  QSize sizeHint() const override { return {400, 150}; }
  QSize minimumSizeHint() const override { return {200, 96}; }

 signals:
  void seek_requested(qint64 frame);
  void frame_pointed(std::optional<int64_t> frame);
  void range_dragged(qint64 first, qint64 last);
  void chosen();      // with the mouse or by the focus
  void bin_chosen();  // can_step() may have changed
  void menu_wanted(const QPoint& at);

 protected:
  PlotCanvas(const PlotSpec& spec, const QWidget* aligned_to);
  // The values that are drawn: null where there are none.
  const ResultScalars* scalars() const { return drawn_.get(); }
  TimeAxis* axis() const { return axis_; }
  int64_t frame() const { return frame_; }
  const FrameTimes& times() const { return times_; }
  const MarkedRange& range() const { return range_; }
  QColor color_of(size_t series) const;
  Qt::PenStyle line_of(size_t series) const;
  QRectF data_rect() const;
  std::optional<size_t> index_of(int64_t frame) const;  // among the frames of the values
  void change();                                        // of the picture
  void point_at(std::optional<int64_t> frame);          // by the mouse

  virtual void scalars_changed() {}
  virtual PlotArea find_area() const = 0;
  virtual void draw_data(QPainter& painter, const PlotArea& plot) const = 0;
  virtual void draw_marks(QPainter& painter, const PlotArea& plot) const = 0;  // over it
  // Before the figures, and each with its value.
  virtual QString position_text() const;
  virtual QString figure_text(size_t series) const;
  virtual void hover(const QPointF& at) = 0;
  virtual void click(const QPointF& at) = 0;

  void draw(QPainter& painter) const override;
  void draw_over(QPainter& painter) const override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void changeEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  void take_part();
  void draw_picture() const;
  void draw_head(QPainter& painter) const;
  void describe();

  const PlotSpec spec_;
  const QWidget* aligned_to_;
  ScalarsRef scalars_, drawn_;  // all, and those of the range where only these are drawn
  QString stated_empty_, empty_;
  TimeAxis* axis_ = nullptr;
  int64_t frame_ = 0;
  FrameTimes times_;
  MarkedRange range_;
  std::optional<int64_t> pointed_;
  mutable QPixmap picture_;  // null: to be drawn
  mutable PlotArea plot_;    // of the picture
  mutable int pictures_drawn_ = 0;
};

// Some value of it is.
bool is_known(const ScalarSeries& series);

}  // namespace vantage::ui
