// A plot as a file: values for other programs, a picture for papers.
#pragma once

#include <QByteArray>
#include <QPalette>
#include <QSize>
#include <QString>
#include <functional>
#include <string>

#include "core/base/result.h"

class QPainter;
class QPoint;
class QWidget;

namespace vantage::ui {

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
