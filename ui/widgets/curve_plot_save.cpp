// A plot as a file: values for other programs, a picture for papers.
#include <QBuffer>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPdfWriter>
#include <algorithm>

#include "core/base/csv_fields.h"
#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/display/plot.h"
#include "ui/widgets/curve_plot.h"

namespace vantage::ui {
namespace {

constexpr QSize kSmallestPicture(640, 400);

// Whatever the theme: papers are white.
QPalette paper() {
  QPalette colors(Qt::white);
  colors.setColor(QPalette::Base, Qt::white);
  colors.setColor(QPalette::Text, Qt::black);
  colors.setColor(QPalette::PlaceholderText, QColor(0xff5a5d61));
  return colors;
}

// What lies on the axis; a value aside stands in the legend.
PlotSeries series_of(const Curve& curve, const std::optional<std::pair<double, double>>& range,
                     const QString& aside_name) {
  PlotSeries series{curve.name.toStdString(), {}};
  for (const QPointF& point : curve.points)
    if (!range || (point.x() >= range->first && point.x() <= range->second))
      series.points.push_back({point.x(), point.y()});
  if (curve.aside) series.name += "; " + aside_name.toStdString() + formatted(": %.4g", *curve.aside);
  return series;
}

}  // namespace

Status CurvePlot::save(const QString& file) const {
  const std::string path = file.toStdString();
  if (curves_.empty())
    return fail(ErrorKind::invalid_argument, "the plot has no curves", title_.toStdString());
  const QString ending = QFileInfo(file).suffix().toLower();
  if (ending == "csv") return write_file_atomically(path, values());
  if (ending == "svg") {
    Plot plot{title_.toStdString(), x_name_.toStdString(), {}, false, false, false, {}};
    plot.y_from_zero = false;
    for (const Curve& curve : curves_) plot.series.push_back(series_of(curve, range_, aside_name_));
    for (const CurveMark& mark : marks_) plot.marks.push_back({mark.x, mark.text.toStdString()});
    return write_file_atomically(path, plot_svg(plot));
  }
  if (ending == "pdf" || ending == "png")
    return write_file_atomically(path, picture(ending == "pdf").toStdString());
  return fail(ErrorKind::invalid_argument, "plots are not saved in this format", path,
              "Use a name that ends in .csv, .svg, .pdf or .png.");
}

std::string CurvePlot::values() const {
  std::string text = "curve," + csv_quoted(x_name_.isEmpty() ? "x" : x_name_.toStdString()) + ",value\n";
  for (const Curve& curve : curves_) {
    const std::string name = csv_quoted(curve.name.toStdString());
    for (const QPointF& point : curve.points) text += name + formatted(",%.9g,%.9g\n", point.x(), point.y());
    if (curve.aside)
      text += name + "," + csv_quoted(aside_name_.toStdString()) + formatted(",%.9g\n", *curve.aside);
  }
  return text;
}

QByteArray CurvePlot::picture(bool pdf) const {
  CurvePlot copy(title_);
  copy.curves_ = curves_, copy.marks_ = marks_, copy.range_ = range_;
  copy.x_name_ = x_name_, copy.aside_name_ = aside_name_;
  copy.setPalette(paper());
  copy.resize(size().expandedTo(kSmallestPicture));
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (pdf) {
    constexpr int kDots = 96, kPoints = 72;  // an inch
    QPdfWriter writer(&buffer);
    writer.setTitle(title_);
    writer.setResolution(kDots);
    writer.setPageSize(QPageSize(QSizeF(copy.size()) * kPoints / kDots, QPageSize::Point));
    writer.setPageMargins({});
    QPainter painter(&writer);
    painter.setFont(copy.font());
    copy.draw(painter);
    painter.end();
  } else {
    constexpr int kFiner = 2;
    QImage image(copy.size() * kFiner, QImage::Format_RGB32);
    image.setDevicePixelRatio(kFiner);
    QPainter painter(&image);
    painter.setFont(copy.font());
    copy.draw(painter);
    painter.end();
    image.save(&buffer, "PNG");
  }
  return bytes;
}

void CurvePlot::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setObjectName("plot_menu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  QAction* save = menu->addAction(tr("&Save Plot\u2026"));
  save->setToolTip(curves_.empty() ? tr("The plot has no curves yet.")
                                   : tr("Save the values as CSV, or the picture as SVG, PDF or PNG"));
  save->setEnabled(!curves_.empty());
  connect(save, &QAction::triggered, this, &CurvePlot::ask_to_save);
  menu->popup(event->globalPos());
}

void CurvePlot::ask_to_save() {
  const QString file = QFileDialog::getSaveFileName(this, tr("Save Plot"), title_ + ".csv",
                                                    tr("Values (*.csv);;Pictures (*.svg *.pdf *.png)"));
  if (file.isEmpty()) return;
  if (const Status saved = save(file); !saved)
    QMessageBox::warning(this, tr("Save Plot"), QString::fromStdString(saved.error().message()));
}

}  // namespace vantage::ui
