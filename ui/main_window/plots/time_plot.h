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
  void draw_over(QPainter& painter, const PlotArea& plot) const override;
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

}  // namespace vantage::ui
