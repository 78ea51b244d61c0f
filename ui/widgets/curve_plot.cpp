#include "ui/widgets/curve_plot.h"

#include <fmt/core.h>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/base/text.h"
#include "core/display/plot.h"
#include "ui/widgets/action_button.h"

namespace vantage::ui {
namespace {

constexpr double kLeft = 54, kRight = 8, kBottom = 18, kAside = 46;
constexpr double kDot = 2.5;

// The nearest point by x; the curve has points.
QPointF nearest_point(const Curve& curve, double x) {
  return *std::min_element(curve.points.begin(), curve.points.end(), [x](const QPointF& a, const QPointF& b) {
    return std::abs(a.x() - x) < std::abs(b.x() - x);
  });
}

}  // namespace

CurvePlot::CurvePlot(const QString& title, QWidget* parent) : SavedPlot(title, parent) {
  setMouseTracking(true);
  set_choosable(false);
}

void CurvePlot::set_axis(const QString& x_name, const QString& aside_name) {
  x_name_ = x_name;
  aside_name_ = aside_name;
  update();
}

void CurvePlot::set_curves(std::vector<Curve> curves, const QString& empty) {
  curves_ = std::move(curves);
  empty_ = empty;
  describe();
}

void CurvePlot::set_marks(std::vector<CurveMark> marks) {
  marks_ = std::move(marks);
  describe();
}

void CurvePlot::set_range(std::optional<std::pair<double, double>> range) {
  range_ = range;
  update();
}

void CurvePlot::set_choosable(bool choosable) {
  choosable_ = choosable;
  set_takes_moves(this, choosable);
  setToolTip(choosable ? tr("Click a point, or press Left and Right, to choose it; right button or menu key: "
                            "save the plot")
                       : tr("Right button or menu key: save the plot"));
}

void CurvePlot::choose(std::optional<double> x) {
  chosen_ = x;
  describe();
}

void CurvePlot::describe() {
  QStringList words;
  for (const Curve& curve : curves_)
    if (!curve.points.empty())
      words << tr("%1: last %2").arg(curve.name, plot_number(curve.points.back().y()));
  for (const CurveMark& mark : marks_) words << tr("%1 at %2").arg(mark.text, plot_number(mark.x));
  if (chosen_) words << tr("chosen %1").arg(plot_number(*chosen_));
  setAccessibleDescription(curves_.empty() ? empty_ : words.join(", "));
  update();
}

bool CurvePlot::has_aside() const {
  return std::any_of(curves_.begin(), curves_.end(),
                     [](const Curve& curve) { return curve.aside.has_value(); });
}

CurvePlot::Frame CurvePlot::frame() const {
  Frame f;
  bool first = true;
  const auto take_y = [&](double y) {
    f.y_low = first ? y : std::min(f.y_low, y);
    f.y_high = first ? y : std::max(f.y_high, y);
    first = false;
  };
  bool first_x = true;
  for (const Curve& curve : curves_) {
    for (const QPointF& point : curve.points) {
      if (range_ && (point.x() < range_->first || point.x() > range_->second)) continue;
      take_y(point.y());
      f.x_low = first_x ? point.x() : std::min(f.x_low, point.x());
      f.x_high = first_x ? point.x() : std::max(f.x_high, point.x());
      first_x = false;
    }
    if (curve.aside) take_y(*curve.aside);
  }
  if (range_) std::tie(f.x_low, f.x_high) = *range_;
  if (!(f.x_high > f.x_low)) f.x_high = f.x_low + 1;
  f.widen_y();
  const double top = 2 * fontMetrics().height() + 4;
  const double right = kRight + (has_aside() ? kAside : 0);
  f.area =
      QRectF(kLeft, top, std::max(10.0, width() - kLeft - right), std::max(10.0, height() - top - kBottom));
  f.aside_x = f.area.right() + kAside / 2;
  return f;
}

QColor CurvePlot::color_of(const Curve& curve) const {
  return curve.color.isValid() ? curve.color : palette().color(QPalette::Text);
}

void CurvePlot::draw_over(QPainter& painter) const {
  if (curves_.empty()) return;
  draw_chosen(painter, frame());
  draw_pointed(painter, frame());
}

void CurvePlot::draw(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), palette().base());
  draw_legend(painter);
  if (curves_.empty()) return draw_empty(painter, empty_, fontMetrics().height());
  const Frame f = frame();
  draw_axes(painter, f);
  draw_curves(painter, f);
  draw_marks(painter, f);
}

// The title, and below it each curve's name after a piece of its line.
void CurvePlot::draw_legend(QPainter& painter) const {
  const double line = fontMetrics().height();
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(QPointF(4, line - 2), fontMetrics().elidedText(title(), Qt::ElideRight, width() - 8));
  double x = 4;
  for (const Curve& curve : curves_) {
    const double width = fontMetrics().horizontalAdvance(curve.name);
    painter.setPen(QPen(color_of(curve), std::max(1.5, curve.width_px), curve.style));
    painter.drawLine(QPointF(x, 1.6 * line), QPointF(x + 14, 1.6 * line));
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QPointF(x + 17, 2 * line - 2), curve.name);
    x += 17 + width + 8;
  }
}

void CurvePlot::draw_axes(QPainter& painter, const Frame& f) const {
  const QColor words = palette().color(QPalette::PlaceholderText);
  const double line = fontMetrics().height();
  draw_rows(painter, f, palette());
  draw_columns(painter, f, palette());
  painter.setPen(words);
  painter.drawText(QRectF(4, f.area.bottom() + 2, kLeft - 8, line), Qt::AlignLeft | Qt::AlignTop, x_name_);
  if (has_aside())
    painter.drawText(QRectF(f.area.right() + 2, f.area.bottom() + 2, kAside, line),
                     Qt::AlignHCenter | Qt::AlignTop, aside_name_);
}

void CurvePlot::draw_curves(QPainter& painter, const Frame& f) const {
  painter.save();
  painter.setClipRect(QRectF(f.area.left() - kDot, 0, width() - f.area.left() + kDot, height()));
  for (const Curve& curve : curves_) {
    const QColor color = color_of(curve);
    QPainterPath path;
    for (size_t i = 0; i < curve.points.size(); ++i)
      i == 0 ? path.moveTo(f.at(curve.points[i])) : path.lineTo(f.at(curve.points[i]));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, curve.width_px, curve.style));
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    if (choosable_ || curve.points.size() == 1)
      for (const QPointF& point : curve.points) painter.drawEllipse(f.at(point), kDot, kDot);
    if (curve.aside)
      painter.drawEllipse(QPointF(f.aside_x, f.at({f.x_low, *curve.aside}).y()), kDot + 0.5, kDot + 0.5);
  }
  painter.restore();
}

// Their words stand one below the other: marks may be at the same position.
void CurvePlot::draw_marks(QPainter& painter, const Frame& f) const {
  const double line = fontMetrics().height();
  double top = f.area.top();
  for (const CurveMark& mark : marks_) {
    if (mark.x < f.x_low || mark.x > f.x_high) continue;
    const double x = f.at({mark.x, f.y_low}).x(), room = fontMetrics().horizontalAdvance(mark.text) + 4;
    painter.setPen(QPen(mark.color.isValid() ? mark.color : palette().color(QPalette::PlaceholderText), 1.2,
                        mark.style));
    painter.drawLine(f.upright(x));
    const QRectF words(x + 3 + room > f.area.right() ? x - 3 - room : x + 3, top, room, line);
    painter.fillRect(words, palette().base());
    painter.drawText(words, Qt::AlignCenter, mark.text);
    top += line;
  }
}

void CurvePlot::draw_chosen(QPainter& painter, const Frame& f) const {
  if (!chosen_) return;
  painter.setBrush(Qt::NoBrush);
  for (const Curve& curve : curves_)
    for (const QPointF& point : curve.points)
      if (point.x() == *chosen_) {
        painter.setPen(QPen(color_of(curve), 2));
        painter.drawEllipse(f.at(point), 2.5 * kDot, 2.5 * kDot);
      }
}

// The values of all curves at the position under the pointer.
void CurvePlot::draw_pointed(QPainter& painter, const Frame& f) const {
  if (!pointer_ || !f.area.contains(*pointer_) || curves_.front().points.empty()) return;
  const QPointF nearest = nearest_point(curves_.front(), f.value_at(*pointer_).x());
  const double x = f.at(nearest).x();
  painter.setPen(QPen(palette().color(QPalette::Text), 1, Qt::DotLine));
  painter.drawLine(f.upright(x));
  QStringList words(plot_number(nearest.x()) + " " + x_name_);
  for (const Curve& curve : curves_)
    if (!curve.points.empty()) words << curve.name + " " + plot_number(nearest_point(curve, nearest.x()).y());
  const QString text = words.join("   ");
  painter.fillRect(QRectF(0, 0, width(), fontMetrics().height() + 1), palette().base());
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(QPointF(4, fontMetrics().height() - 2),
                   fontMetrics().elidedText(text, Qt::ElideRight, width() - 8));
}

void CurvePlot::mouseMoveEvent(QMouseEvent* event) {
  pointer_ = event->position();
  update();
}

void CurvePlot::mousePressEvent(QMouseEvent* event) {
  QWidget::mousePressEvent(event);
  if (!choosable_ || event->button() != Qt::LeftButton || curves_.empty() || curves_.front().points.empty())
    return;
  setFocus(Qt::MouseFocusReason);
  emit point_chosen(nearest_point(curves_.front(), frame().value_at(event->position()).x()).x());
  event->accept();
}

void CurvePlot::keyPressEvent(QKeyEvent* event) {
  const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
  if (!choosable_ || by == 0 || curves_.empty() || curves_.front().points.empty())
    return QWidget::keyPressEvent(event);
  const std::vector<QPointF>& points = curves_.front().points;
  const auto here = std::find_if(points.begin(), points.end(),
                                 [this](const QPointF& point) { return point.x() == chosen_; });
  const auto last = static_cast<qsizetype>(points.size()) - 1;
  const qsizetype next =
      here == points.end() ? (by > 0 ? 0 : last) : std::clamp<qsizetype>(here - points.begin() + by, 0, last);
  emit point_chosen(points[next].x());
}

void CurvePlot::leaveEvent(QEvent*) {
  pointer_.reset();
  update();
}

// ---- files

namespace {

// The points on the axis; a value aside stands in the legend.
PlotSeries series_of(const Curve& curve, const std::optional<std::pair<double, double>>& range,
                     const QString& aside_name) {
  PlotSeries series{curve.name.toStdString(), {}};
  for (const QPointF& point : curve.points)
    if (!range || (point.x() >= range->first && point.x() <= range->second))
      series.points.push_back({point.x(), point.y()});
  if (curve.aside) series.name += "; " + aside_name.toStdString() + fmt::format(": {:.4g}", *curve.aside);
  return series;
}

}  // namespace

QString CurvePlot::why_not_saved() const {
  return curves_.empty() ? tr("The plot has no curves yet.") : QString();
}

std::string CurvePlot::svg() const {
  Plot plot{title().toStdString(), x_name_.toStdString(), {}, false, false, false, {}};
  plot.y_from_zero = false;
  for (const Curve& curve : curves_) plot.series.push_back(series_of(curve, range_, aside_name_));
  for (const CurveMark& mark : marks_) plot.marks.push_back({mark.x, mark.text.toStdString()});
  return plot_svg(plot);
}

std::string CurvePlot::csv() const {
  std::string text = "curve," + csv_quoted(x_name_.isEmpty() ? "x" : x_name_.toStdString()) + ",value\n";
  for (const Curve& curve : curves_) {
    const std::string name = csv_quoted(curve.name.toStdString());
    for (const QPointF& point : curve.points)
      text += name + fmt::format(",{:.9g},{:.9g}\n", point.x(), point.y());
    if (curve.aside)
      text += name + "," + csv_quoted(aside_name_.toStdString()) + fmt::format(",{:.9g}\n", *curve.aside);
  }
  return text;
}

std::unique_ptr<SavedPlot> CurvePlot::copy() const {
  auto same = std::make_unique<CurvePlot>(title());
  same->curves_ = curves_, same->marks_ = marks_, same->range_ = range_;
  same->x_name_ = x_name_, same->aside_name_ = aside_name_;
  return same;
}

}  // namespace vantage::ui
