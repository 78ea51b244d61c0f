// One figure over another, a point a frame. A click goes to the frame of the nearest point.
#pragma once

#include "ui/main_window/plots/plot_canvas.h"

namespace vantage::ui {

class ScatterPlot final : public PlotCanvas {
  Q_OBJECT
 public:
  ScatterPlot(const PlotSpec& spec, const QWidget* aligned_to) : PlotCanvas(spec, aligned_to) {}
  // Where a frame's point lies; nothing where one of the figures is not known.
  std::optional<QPointF> place_of(int64_t frame);

 protected:
  void scalars_changed() override;
  PlotArea find_area() const override;
  void draw_data(QPainter& painter, const PlotArea& plot) const override;
  void draw_over(QPainter& painter, const PlotArea& plot) const override;
  QString position_text() const override;
  void hover(const QPointF& at) override;
  void click(const QPointF& at) override;

 private:
  std::optional<QPointF> value_of(size_t index) const;
  std::optional<int64_t> frame_near(const QPointF& at);

  QString summary_;  // "90 frames, r = 0.41"
};

}  // namespace vantage::ui
