// A curve plot as a file.
#include <QContextMenuEvent>
#include <algorithm>

#include "core/base/csv_fields.h"
#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/display/plot.h"
#include "ui/widgets/curve_plot.h"
#include "ui/widgets/plot_file.h"

namespace vantage::ui {
namespace {

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
  if (curves_.empty())
    return fail(ErrorKind::invalid_argument, "the plot has no curves", title_.toStdString());
  Plot plot{title_.toStdString(), x_name_.toStdString(), {}, false, false, false, {}};
  plot.y_from_zero = false;
  for (const Curve& curve : curves_) plot.series.push_back(series_of(curve, range_, aside_name_));
  for (const CurveMark& mark : marks_) plot.marks.push_back({mark.x, mark.text.toStdString()});
  return save_plot(file, {title_, [this] { return values(); }, [&] { return plot_svg(plot); },
                          [this](bool pdf) { return picture(pdf); }});
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
  copy.setPalette(paper_palette());
  copy.resize(size().expandedTo(kMinPlotPicture));
  return plot_picture(copy.size(), pdf, title_, [&copy](QPainter& painter) {
    painter.setFont(copy.font());
    copy.draw(painter);
  });
}

void CurvePlot::contextMenuEvent(QContextMenuEvent* event) {
  offer_to_save_plot(this, title_, curves_.empty() ? tr("The plot has no curves yet.") : QString(),
                     event->globalPos(), [this](const QString& file) { return save(file); });
}

}  // namespace vantage::ui
