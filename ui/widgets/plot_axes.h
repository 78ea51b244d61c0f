// The area of a plot, its axes in round numbers, and the lines of a grid: what all plots of the window share.
#pragma once

#include <QByteArray>
#include <QPalette>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QString>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"

class QPainter;
class QPalette;
class QPoint;
class QWidget;

namespace vantage::ui {

// Where values lie on a widget.
struct PlotArea {
  QRectF area;  // of the curves, px
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;

  QPointF at(const QPointF& value) const;
  QPointF value_at(const QPointF& px) const;
  // Some room above and below the values, also where they are all the same.
  void widen_y();
};

// Round numbers (1, 2 or 5 times a power of ten apart) from low to high, about `count` of them.
std::vector<double> round_ticks(double low, double high, int count);
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

// A plot as a file: values for other programs, a picture for papers.

struct PlotFile {
  QString title;
  std::function<std::string()> csv, svg;
  std::function<QByteArray(bool pdf)> picture;  // PDF, or PNG
};
// Saves by the file's ending: .csv, .svg, .pdf or .png. Errors: invalid_argument for another ending; io.
Status save_plot(const QString& file, const PlotFile& plot);

inline constexpr QSize kMinPlotPicture(640, 400);
// Whatever the theme: papers are white.
QPalette paper_palette();
// `draw` draws that size: a PNG of twice as many pixels, or a page of a PDF with 96 of them an inch.
QByteArray plot_picture(const QSize& size, bool pdf, const QString& title,
                        const std::function<void(QPainter&)>& draw);

// The menu of a plot's right button or menu key. `why_not`: why it cannot be saved; empty: it can.
void offer_to_save_plot(QWidget* plot, const QString& title, const QString& why_not, const QPoint& at,
                        const std::function<Status(const QString& file)>& save);

}  // namespace vantage::ui
