// How often figures have which value. A click on a bin goes to the first of its frames, another click to the
// next; step() too.
#pragma once

#include "ui/main_window/plots/plot_canvas.h"

namespace vantage::ui {

class HistogramPlot final : public PlotCanvas {
  Q_OBJECT
 public:
  HistogramPlot(const PlotSpec& spec, const QWidget* aligned_to) : PlotCanvas(spec, aligned_to) {}

  const ScalarBins& bins() const { return bins_; }
  std::optional<int> chosen_bin() const { return bin_; }
  QRectF bin_area(int bin);  // px
  // In which some figure has a value of the chosen bin.
  std::vector<int64_t> frames_of_bin() const;
  void step(int by) override;
  bool can_step() const override { return bin_.has_value() && scalars(); }

 protected:
  void scalars_changed() override;
  PlotArea find_area() const override;
  void draw_data(QPainter& painter, const PlotArea& plot) const override;
  void draw_over(QPainter& painter, const PlotArea& plot) const override;
  QString position_text() const override;
  QString figure_text(size_t series) const override;
  void hover(const QPointF& at) override;
  void click(const QPointF& at) override;
  void leaveEvent(QEvent* event) override;

 private:
  std::optional<int> bin_at(const QPointF& at);
  std::optional<int> told_bin() const { return hovered_ ? hovered_ : bin_; }

  ScalarBins bins_;
  std::optional<int> bin_, hovered_;
};

}  // namespace vantage::ui
