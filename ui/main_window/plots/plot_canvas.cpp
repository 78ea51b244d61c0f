#include "ui/main_window/plots/plot_canvas.h"

#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/main_window/plots/plot_kinds.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr double kSample_px = 14, kSampleGap_px = 4, kHeadGap_px = 10, kHeadLeft_px = 6;
constexpr int kDarkGray = 90;  // what is darker cannot be told from a dark ground

// "people, litres over time".
QString title_of(const PlotSpec& spec) {
  std::vector<ScalarSeries> names;
  for (const std::string& figure : spec.figures) names.push_back({figure, {}, {}});
  return QString::fromStdString(scalar_title(names, spec.kind));
}

}  // namespace

bool is_known(const ScalarSeries& series) {
  return std::ranges::any_of(series.values, [](double value) { return std::isfinite(value); });
}

PlotCanvas* PlotCanvas::make(const PlotSpec& spec, const QWidget* aligned_to) {
  switch (spec.kind) {
    case ScalarPlotKind::time:
      break;
    case ScalarPlotKind::histogram:
      return new HistogramPlot(spec, aligned_to);
    case ScalarPlotKind::scatter:
      return new ScatterPlot(spec, aligned_to);
  }
  return new TimePlot(spec, aligned_to);
}

PlotCanvas::PlotCanvas(const PlotSpec& spec, const QWidget* aligned_to)
    : PlotWidget(title_of(spec)), spec_(spec), aligned_to_(aligned_to) {
  setMouseTracking(true);
}

// ---- what is shown

void PlotCanvas::show_scalars(ScalarsRef scalars, const QString& empty) {
  if (scalars == scalars_ && empty == stated_empty_) return;
  scalars_ = std::move(scalars), stated_empty_ = empty;
  take_part();
}

void PlotCanvas::take_part() {
  const bool part = spec_.in_range && spec_.kind != ScalarPlotKind::time && !range_.empty();
  drawn_ = scalars_;
  if (part && scalars_ && !scalars_->frames.empty())
    drawn_ = std::make_shared<const ResultScalars>(scalars_in(
        *scalars_,
        {range_.in.value_or(scalars_->frames.front()), range_.out.value_or(scalars_->frames.back()) + 1}));
  if (drawn_ && std::ranges::none_of(drawn_->series, is_known)) drawn_.reset();
  empty_ = drawn_                     ? QString()
           : !stated_empty_.isEmpty() ? stated_empty_
           : part                     ? tr("No value is known in the marked range.")
                                      : tr("No value is known.");
  scalars_changed();
  change();
}

void PlotCanvas::set_axis(TimeAxis* axis) {
  if (axis == axis_) return;
  if (axis_) disconnect(axis_, nullptr, this, nullptr);
  axis_ = axis;
  if (spec_.kind == ScalarPlotKind::time) connect(axis_, &TimeAxis::changed, this, &PlotCanvas::change);
  change();
}

void PlotCanvas::set_frame(int64_t frame) {
  if (frame == frame_) return;
  frame_ = frame;
  describe();
}

void PlotCanvas::set_times(const FrameTimes& times) {
  if (times == times_) return;
  times_ = times;
  change();
}

void PlotCanvas::set_range(const MarkedRange& range) {
  if (range.in == range_.in && range.out == range_.out) return;
  range_ = range;
  spec_.in_range ? take_part() : update();
}

void PlotCanvas::set_pointed(std::optional<int64_t> frame) {
  if (frame == pointed_) return;
  pointed_ = frame;
  describe();
}

void PlotCanvas::point_at(std::optional<int64_t> frame) {
  if (frame == pointed_) return;
  set_pointed(frame);
  emit frame_pointed(frame);
}

void PlotCanvas::change() {
  picture_ = {};
  describe();
}

void PlotCanvas::describe() {
  setAccessibleDescription(drawn_ ? head_text() : empty_);
  update();
}

QColor PlotCanvas::color_of(size_t series) const {
  const QColor color = person_color(static_cast<int64_t>(series) + 1);
  return is_dark(palette()) && qGray(color.rgb()) < kDarkGray ? QColor(kForegroundOverlay) : color;
}

Qt::PenStyle PlotCanvas::line_of(size_t series) const {
  return person_line(static_cast<int64_t>(series) + 1);
}

std::optional<size_t> PlotCanvas::index_of(int64_t frame) const {
  if (!drawn_) return std::nullopt;
  const auto at = std::ranges::lower_bound(drawn_->frames, frame);
  if (at == drawn_->frames.end() || *at != frame) return std::nullopt;
  return static_cast<size_t>(at - drawn_->frames.begin());
}

// ---- drawing

// Left and right as the timeline's track; a line of text above and one below.
QRectF PlotCanvas::data_rect() const {
  const double line = fontMetrics().height();
  const double left = Timeline::kLeft - mapTo(aligned_to_, QPoint(0, 0)).x();
  const double top = line + 8, bottom = height() - line - 5;
  return {left, top, std::max(8.0, width() - left - Timeline::kRight), std::max(8.0, bottom - top)};
}

const PlotArea& PlotCanvas::plot() const {
  if (picture_.size() != size() * devicePixelRatioF() || picture_.devicePixelRatio() != devicePixelRatioF())
    draw_picture();
  return plot_;
}

void PlotCanvas::draw_picture() const {
  ++pictures_drawn_;
  picture_ = QPixmap(size() * devicePixelRatioF());
  picture_.setDevicePixelRatio(devicePixelRatioF());
  picture_.fill(palette().color(QPalette::Base));
  plot_ = {data_rect()};
  if (!drawn_) return;
  plot_ = find_area();
  QPainter painter(&picture_);
  painter.setFont(font());
  painter.setRenderHint(QPainter::Antialiasing);
  draw_rows(painter, plot_, palette());
  draw_data(painter, plot_);
}

void PlotCanvas::draw(QPainter& painter) const {
  plot();
  painter.drawPixmap(0, 0, picture_);
  if (!drawn_) draw_empty(painter, title() + "\n" + empty_, 4);
}

void PlotCanvas::draw_over(QPainter& painter) const {
  if (!drawn_) return;
  painter.setRenderHint(QPainter::Antialiasing);
  draw_marks(painter, plot_);
  draw_head(painter);
}

// Each figure after a piece of its line.
void PlotCanvas::draw_head(QPainter& painter) const {
  const double base = fontMetrics().ascent() + 3, middle = base - fontMetrics().ascent() / 3.0;
  painter.setPen(palette().color(QPalette::PlaceholderText));
  double x = kHeadLeft_px;
  const auto write = [&](const QString& text) {
    const double room = std::max(0.0, width() - x - kHeadLeft_px);
    const QString shown = fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(room));
    painter.drawText(QPointF(x, base), shown);
    x += fontMetrics().horizontalAdvance(shown) + kHeadGap_px;
  };
  write(position_text());
  for (size_t i = 0; i < drawn_->series.size() && x < width() - kSample_px; ++i) {
    painter.setPen(QPen(color_of(i), 2, line_of(i)));
    painter.drawLine(QPointF(x, middle), QPointF(x + kSample_px, middle));
    x += kSample_px + kSampleGap_px;
    painter.setPen(palette().color(QPalette::Text));
    write(figure_text(i));
  }
}

QString PlotCanvas::head_text() const {
  if (!drawn_) return {};
  QStringList words = {position_text()};
  for (size_t i = 0; i < drawn_->series.size(); ++i) words << figure_text(i);
  words.removeAll(QString());
  return words.join(QStringLiteral(", "));
}

QString PlotCanvas::position_text() const {
  const int64_t at = pointed_.value_or(frame_);
  return tr("frame %1, %2").arg(at).arg(times_.frame_rate > 0 ? times_.text(at) : QString());
}

QString PlotCanvas::figure_text(size_t series) const {
  const ScalarSeries& one = drawn_->series[series];
  const std::optional<size_t> index = index_of(pointed_.value_or(frame_));
  const QString name = QString::fromStdString(scalar_label(one));
  if (!one.found) return tr("%1 not in these results").arg(name);
  if (!index || !std::isfinite(one.values[*index])) return name + QStringLiteral(" \u2013");
  return name + ' ' + plot_number(one.values[*index]);
}

// ---- mouse and keys

void PlotCanvas::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  emit chosen();
  event->accept();
  if (event->button() == Qt::LeftButton && drawn_) click(event->position());
}

void PlotCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (drawn_) hover(event->position());
}

void PlotCanvas::leaveEvent(QEvent* event) {
  point_at(std::nullopt);
  QWidget::leaveEvent(event);
}

void PlotCanvas::contextMenuEvent(QContextMenuEvent* event) {
  emit chosen();
  emit menu_wanted(event->globalPos());
}

// Colours, font.
void PlotCanvas::changeEvent(QEvent* event) {
  change();
  QWidget::changeEvent(event);
}

void PlotCanvas::focusInEvent(QFocusEvent* event) {
  if (event->reason() != Qt::PopupFocusReason) emit chosen();
  PlotWidget::focusInEvent(event);
}

}  // namespace vantage::ui
