#include "ui/widgets/plot_axes.h"

#include <QPainter>
#include <QPalette>
#include <algorithm>
#include <cmath>

#include "ui/widgets/numbers.h"

namespace vantage::ui {
namespace {

constexpr double kRowHeight_px = 30, kColumnWidth_px = 50;  // between two lines of the grid, at least
constexpr double kNumberWidth_px = 50;
constexpr int kGridAlpha = 60;
constexpr double kRoomShare = 0.06;

QColor grid_color(const QPalette& palette) {
  QColor grid = palette.color(QPalette::PlaceholderText);
  grid.setAlpha(kGridAlpha);
  return grid;
}

}  // namespace

QPointF PlotArea::at(const QPointF& value) const {
  return {area.left() + (value.x() - x_low) / (x_high - x_low) * area.width(),
          area.bottom() - (value.y() - y_low) / (y_high - y_low) * area.height()};
}

QPointF PlotArea::value_at(const QPointF& px) const {
  return {x_low + (px.x() - area.left()) / area.width() * (x_high - x_low),
          y_low + (area.bottom() - px.y()) / area.height() * (y_high - y_low)};
}

void PlotArea::widen_y() {
  const double span = y_high - y_low;
  const double room = span > 0 ? kRoomShare * span : std::max(1e-3, 0.05 * std::abs(y_low));
  y_low -= room, y_high += room;
}

QString tick_text(const std::vector<double>& ticks, double tick) {
  if (ticks.size() < 2) return plot_number(tick);
  const double step = ticks[1] - ticks[0];
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
  return std::abs(tick) < 1e6 ? number_text(tick, 'f', digits) : number_text(tick, 'g', 4);
}

QString plot_number(double value) {
  return number_text(value, 'g', 4);
}

void draw_rows(QPainter& painter, const PlotArea& plot, const QPalette& palette) {
  const double line = painter.fontMetrics().height();
  const auto rows =
      round_ticks(plot.y_low, plot.y_high, std::max(2, static_cast<int>(plot.area.height() / kRowHeight_px)));
  for (const double y : rows) {
    const double at = plot.at({plot.x_low, y}).y();
    painter.setPen(QPen(grid_color(palette), 1));
    painter.drawLine(QPointF(plot.area.left(), at), QPointF(plot.area.right(), at));
    painter.setPen(palette.color(QPalette::PlaceholderText));
    painter.drawText(QRectF(0, at - line / 2, plot.area.left() - 4, line), Qt::AlignRight | Qt::AlignVCenter,
                     tick_text(rows, y));
  }
}

void draw_columns(QPainter& painter, const PlotArea& plot, const QPalette& palette) {
  const auto columns = round_ticks(plot.x_low, plot.x_high,
                                   std::max(2, static_cast<int>(plot.area.width() / kColumnWidth_px)));
  for (const double x : columns)
    draw_column(painter, plot, palette, plot.at({x, plot.y_low}).x(), tick_text(columns, x));
}

void draw_column(QPainter& painter, const PlotArea& plot, const QPalette& palette, double x_px,
                 const QString& text) {
  const double line = painter.fontMetrics().height();
  const double width = std::max(kNumberWidth_px, painter.fontMetrics().horizontalAdvance(text) + 2.0);
  painter.setPen(QPen(grid_color(palette), 1));
  painter.drawLine(plot.upright(x_px));
  painter.setPen(palette.color(QPalette::PlaceholderText));
  painter.drawText(QRectF(x_px - width / 2, plot.area.bottom() + 2, width, line),
                   Qt::AlignHCenter | Qt::AlignTop, text);
}

}  // namespace vantage::ui
