// Figures over time, on the time axis that it shares with the timeline. A click goes to the frame, dragging
// marks a range, the wheel zooms, with Shift it moves.
#pragma once

#include "ui/main_window/plots/plot_canvas.h"

namespace vantage::ui {

class TimePlot final : public PlotCanvas {
  Q_OBJECT
 public:
  TimePlot(const PlotSpec& spec, const QWidget* aligned_to) : PlotCanvas(spec, aligned_to) {}
  // The range that is being dragged.
  const std::optional<std::pair<int64_t, int64_t>>& dragged() const { return dragged_; }

 protected:
  PlotArea find_area() const override;
  void draw_data(QPainter& painter, const PlotArea& plot) const override;
  void draw_marks(QPainter& painter, const PlotArea& plot) const override;
  void hover(const QPointF& at) override;
  void click(const QPointF& at) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  std::pair<size_t, size_t> seen() const;  // the values from the first to before the second
  int64_t frame_at(double x) const;
  double x_of(double frame, const PlotArea& plot) const;
  void draw_series(QPainter& painter, const PlotArea& plot, size_t series) const;

  std::optional<double> pressed_x_;
  std::optional<std::pair<int64_t, int64_t>> dragged_;
};

// The lines through values over x, ascending: where more than a few lie on a pixel they are left out, but for
// the first, the smallest, the largest and the last of them, so that no peak is lost. A NaN ends a line.
std::vector<QPolygonF> thinned_lines(const std::vector<QPointF>& points);

// How often figures have which value. A click on a bin goes to the first of its frames, another click to the
// next; step() too.

class HistogramPlot final : public PlotCanvas {
  Q_OBJECT
 public:
  HistogramPlot(const PlotSpec& spec, const QWidget* aligned_to) : PlotCanvas(spec, aligned_to) {}

  const ScalarBins& bins() const { return bins_; }
  std::optional<int> chosen_bin() const { return bin_; }
  QRectF bin_area(int bin) const;  // px
  // In which some figure has a value of the chosen bin.
  std::vector<int64_t> frames_of_bin() const;
  void step(int by) override;
  bool can_step() const override { return bin_.has_value() && scalars(); }

 protected:
  void scalars_changed() override;
  PlotArea find_area() const override;
  void draw_data(QPainter& painter, const PlotArea& plot) const override;
  void draw_marks(QPainter& painter, const PlotArea& plot) const override;
  QString position_text() const override;
  QString figure_text(size_t series) const override;
  void hover(const QPointF& at) override;
  void click(const QPointF& at) override;
  void leaveEvent(QEvent* event) override;

 private:
  std::optional<int> bin_at(const QPointF& at) const;
  std::optional<int> reported_bin() const { return hovered_ ? hovered_ : bin_; }

  ScalarBins bins_;
  std::optional<int> bin_, hovered_;
};

// One figure over another, a point a frame. A click goes to the frame of the nearest point.

class ScatterPlot final : public PlotCanvas {
  Q_OBJECT
 public:
  ScatterPlot(const PlotSpec& spec, const QWidget* aligned_to) : PlotCanvas(spec, aligned_to) {}
  // Where a frame's point lies; nothing where one of the figures is not known.
  std::optional<QPointF> place_of(int64_t frame) const;

 protected:
  void scalars_changed() override;
  PlotArea find_area() const override;
  void draw_data(QPainter& painter, const PlotArea& plot) const override;
  void draw_marks(QPainter& painter, const PlotArea& plot) const override;
  QString position_text() const override;
  void hover(const QPointF& at) override;
  void click(const QPointF& at) override;

 private:
  std::optional<QPointF> value_of(size_t index) const;
  std::optional<int64_t> frame_near(const QPointF& at) const;

  QString summary_;  // "90 frames, r = 0.41"
};

}  // namespace vantage::ui
