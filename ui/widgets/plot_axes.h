// The area of a plot, its axes in round numbers, and the lines of a grid, for all plots of the window.
#pragma once

#include <QLineF>
#include <QPalette>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <vector>

#include "core/display/plot.h"

class QPainter;
class QPalette;

namespace vantage::ui {

// Where values lie on a widget.
struct PlotArea {
  QRectF area;  // of the curves, px
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;

  QPointF at(const QPointF& value) const;
  QPointF value_at(const QPointF& px) const;
  QLineF upright(double x_px) const { return {x_px, area.top(), x_px, area.bottom()}; }
  // Some room above and below the values, also where they are all the same.
  void widen_y();
};

// With as many digits as tell neighbouring ticks apart; of a tick alone all that it has.
QString tick_text(const std::vector<double>& ticks, double tick);
QString plot_number(double value);  // as plots write it

// Grid and numbers of y, left of the area.
void draw_rows(QPainter& painter, const PlotArea& plot, const QPalette& palette);
// The axis of x, below the area.
void draw_columns(QPainter& painter, const PlotArea& plot, const QPalette& palette);
// An upright line of the grid with its word below.
void draw_column(QPainter& painter, const PlotArea& plot, const QPalette& palette, double x_px,
                 const QString& text);

}  // namespace vantage::ui
