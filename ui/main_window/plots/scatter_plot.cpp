#include "ui/main_window/plots/scatter_plot.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace vantage::ui {
namespace {

constexpr double kReachOfPoint_px = 12, kPoint_px = 2, kFewPoints = 3000;
constexpr int kPointAlpha = 150;

// Values that are all the same get some room, too.
void widen_x(PlotArea* plot) {
  std::swap(plot->x_low, plot->y_low), std::swap(plot->x_high, plot->y_high);
  plot->widen_y();
  std::swap(plot->x_low, plot->y_low), std::swap(plot->x_high, plot->y_high);
}

}  // namespace

void ScatterPlot::scalars_changed() {
  summary_.clear();
  if (scalars() && scalars()->series.size() == 2)
    summary_ = QString::fromStdString(scatter_text(scalars()->series[0], scalars()->series[1]));
}

std::optional<QPointF> ScatterPlot::value_of(size_t index) const {
  if (!scalars() || scalars()->series.size() != 2) return std::nullopt;
  const QPointF value(scalars()->series[0].values[index], scalars()->series[1].values[index]);
  return std::isfinite(value.x()) && std::isfinite(value.y()) ? std::optional(value) : std::nullopt;
}

PlotArea ScatterPlot::find_area() const {
  constexpr double kNothing = std::numeric_limits<double>::infinity();
  PlotArea plot{data_rect(), kNothing, -kNothing, kNothing, -kNothing};
  for (size_t i = 0; i < scalars()->frames.size(); ++i)
    if (const std::optional<QPointF> value = value_of(i)) {
      plot.x_low = std::min(plot.x_low, value->x()), plot.x_high = std::max(plot.x_high, value->x());
      plot.y_low = std::min(plot.y_low, value->y()), plot.y_high = std::max(plot.y_high, value->y());
    }
  if (!(plot.x_low <= plot.x_high)) plot = {data_rect()};
  widen_x(&plot);
  plot.widen_y();
  return plot;
}

// One point is drawn of those on the same pixel.
void ScatterPlot::draw_data(QPainter& painter, const PlotArea& plot) const {
  draw_columns(painter, plot, palette());
  QColor color = color_of(0);
  color.setAlpha(kPointAlpha);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  const auto wide = static_cast<size_t>(plot.area.width()) + 2,
             high = static_cast<size_t>(plot.area.height()) + 2;
  std::vector<bool> taken(wide * high);
  const bool few = static_cast<double>(scalars()->frames.size()) < kFewPoints;
  for (size_t i = 0; i < scalars()->frames.size(); ++i) {
    const std::optional<QPointF> value = value_of(i);
    if (!value) continue;
    const QPointF at = plot.at(*value);
    const auto pixel = static_cast<size_t>(std::max(0.0, at.y() - plot.area.top())) * wide +
                       static_cast<size_t>(std::max(0.0, at.x() - plot.area.left()));
    if (pixel >= taken.size() || taken[pixel]) continue;
    taken[pixel] = true;
    if (few)
      painter.drawEllipse(at, kPoint_px, kPoint_px);
    else
      painter.fillRect(QRectF(at.x() - 1, at.y() - 1, 2, 2), color);
  }
}

// The frame's point ringed, and the one that is pointed at.
void ScatterPlot::draw_over(QPainter& painter, const PlotArea& plot) const {
  painter.setBrush(Qt::NoBrush);
  const auto ring = [&](int64_t frame, double radius, double width) {
    const std::optional<size_t> index = index_of(frame);
    const std::optional<QPointF> value = index ? value_of(*index) : std::nullopt;
    if (!value) return;
    painter.setPen(QPen(palette().color(QPalette::Text), width));
    painter.drawEllipse(plot.at(*value), radius, radius);
  };
  ring(frame(), 6, 2);
  if (pointed()) ring(*pointed(), 4, 1);
}

QString ScatterPlot::position_text() const {
  const QString text = PlotCanvas::position_text();
  return summary_.isEmpty() ? text : QStringLiteral("%1; %2").arg(summary_, text);
}

std::optional<QPointF> ScatterPlot::place_of(int64_t frame) {
  const std::optional<size_t> index = index_of(frame);
  const std::optional<QPointF> value = index ? value_of(*index) : std::nullopt;
  return value ? std::optional(plot().at(*value)) : std::nullopt;
}

std::optional<int64_t> ScatterPlot::frame_near(const QPointF& at) {
  const PlotArea& area = plot();
  std::optional<int64_t> nearest;
  double best = kReachOfPoint_px;
  for (size_t i = 0; i < scalars()->frames.size(); ++i)
    if (const std::optional<QPointF> value = value_of(i)) {
      const QPointF away = area.at(*value) - at;
      const double distance = std::hypot(away.x(), away.y());
      if (distance < best) best = distance, nearest = scalars()->frames[i];
    }
  return nearest;
}

void ScatterPlot::hover(const QPointF& at) {
  point_at(frame_near(at));
}

void ScatterPlot::click(const QPointF& at) {
  if (const std::optional<int64_t> frame = frame_near(at)) emit seek_requested(*frame);
}

}  // namespace vantage::ui
