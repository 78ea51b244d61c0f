#include "ui/main_window/plots/time_plot.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/frame_rate.h"
#include "ui/widgets/colors.h"
#include "ui/widgets/time_ruler.h"

namespace vantage::ui {
namespace {

constexpr double kTimeLabel_px = 90;
constexpr double kSnap_px = 6;  // to a frame of the results
constexpr double kLoneDot_px = 1.5;
constexpr int kRangeAlpha = 40;

// The points of one pixel column, at most four, in their order.
class PixelColumn {
 public:
  void add(const QPointF& point, QPolygonF* line) {
    if (count_ > 0 && std::floor(point.x()) != std::floor(first_.x())) flush(line);
    if (count_++ == 0) {
      first_ = low_ = high_ = point;
      low_at_ = high_at_ = 0;
    }
    if (point.y() < low_.y()) low_ = point, low_at_ = count_;
    if (point.y() > high_.y()) high_ = point, high_at_ = count_;
    last_ = point;
  }
  void flush(QPolygonF* line) {
    if (count_ == 0) return;
    const bool low_first = low_at_ < high_at_;
    for (const QPointF& point : {first_, low_first ? low_ : high_, low_first ? high_ : low_, last_})
      if (line->isEmpty() || line->back() != point) *line << point;
    count_ = 0;
  }

 private:
  QPointF first_, low_, high_, last_;
  int count_ = 0, low_at_ = 0, high_at_ = 0;
};

}  // namespace

std::vector<QPolygonF> thinned_lines(const std::vector<QPointF>& points) {
  std::vector<QPolygonF> lines;
  QPolygonF line;
  PixelColumn column;
  const auto end_line = [&] {
    column.flush(&line);
    if (!line.isEmpty()) lines.push_back(std::move(line));
    line = {};
  };
  for (const QPointF& point : points) std::isfinite(point.y()) ? column.add(point, &line) : end_line();
  end_line();
  return lines;
}

std::pair<size_t, size_t> TimePlot::seen() const {
  const std::vector<int64_t>& frames = scalars()->frames;
  // One more on either side: lines leave the area.
  const auto first = std::ranges::lower_bound(frames, static_cast<int64_t>(std::floor(axis()->left())));
  const auto end = std::ranges::upper_bound(frames, static_cast<int64_t>(std::ceil(axis()->right())));
  const auto begin = static_cast<size_t>(first - frames.begin());
  const auto behind = static_cast<size_t>(end - frames.begin());
  return {begin > 0 ? begin - 1 : 0, std::min(behind + 1, frames.size())};
}

PlotArea TimePlot::find_area() const {
  PlotArea plot{data_rect()};
  plot.x_low = axis()->left(), plot.x_high = std::max(axis()->right(), axis()->left() + 1);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto [begin, end] = seen();
  for (const ScalarSeries& series : scalars()->series)
    for (size_t i = begin; i < end; ++i)
      if (std::isfinite(series.values[i]))
        low = std::min(low, series.values[i]), high = std::max(high, series.values[i]);
  if (low <= high) plot.y_low = low, plot.y_high = high;
  plot.widen_y();
  return plot;
}

double TimePlot::x_of(double frame, const PlotArea& plot) const {
  return axis()->x_of(frame, plot.area.left(), plot.area.width());
}

int64_t TimePlot::frame_at(double x) const {
  const QRectF area = data_rect();
  return axis()->frame_at(x, area.left(), area.width());
}

void TimePlot::draw_data(QPainter& painter, const PlotArea& plot) const {
  const double rate = effective_frame_rate(times().frame_rate, scalars()->frame_rate);
  for (const RulerTick& tick :
       ruler_ticks(axis()->left() / rate, axis()->right() / rate,
                   axis()->px_per_frame(plot.area.width()) * rate, kTimeLabel_px, times().clock))
    draw_column(painter, plot, palette(), x_of(tick.seconds * rate, plot), tick.label);
  painter.setClipRect(plot.area.adjusted(-1, -2, 1, 2));
  for (size_t i = 0; i < scalars()->series.size(); ++i) draw_series(painter, plot, i);
}

void TimePlot::draw_series(QPainter& painter, const PlotArea& plot, size_t series) const {
  const auto [begin, end] = seen();
  const std::vector<double>& values = scalars()->series[series].values;
  std::vector<QPointF> points;
  points.reserve(end - begin);
  for (size_t i = begin; i < end; ++i)
    points.emplace_back(x_of(static_cast<double>(scalars()->frames[i]), plot), plot.at({0, values[i]}).y());
  // Smoothed lines of so many points take long, and look the same.
  painter.setRenderHint(QPainter::Antialiasing, static_cast<double>(points.size()) < 2 * plot.area.width());
  const QColor color = color_of(series);
  for (const QPolygonF& line : thinned_lines(points)) {
    painter.setPen(QPen(color, 1.5, line_of(series)));
    if (line.size() > 1) painter.drawPolyline(line);
    if (line.size() > 1) continue;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(line.front(), kLoneDot_px, kLoneDot_px);
  }
}

void TimePlot::draw_over(QPainter& painter, const PlotArea& plot) const {
  painter.save();
  painter.setClipRect(plot.area.adjusted(-2, 0, 2, 0));
  const MarkedRange marked = dragged_ ? MarkedRange{dragged_->first, dragged_->second} : range();
  if (!marked.empty()) {
    const double left = x_of(static_cast<double>(marked.in.value_or(axis()->first_frame())), plot);
    const double right = x_of(static_cast<double>(marked.out.value_or(axis()->end_frame() - 1)), plot);
    QColor fill(kSelection);
    fill.setAlpha(kRangeAlpha);
    painter.fillRect(QRectF(left, plot.area.top(), std::max(1.0, right - left), plot.area.height()), fill);
    const bool dark = palette().color(QPalette::Base).lightness() < 128;
    painter.setPen(QPen(dark ? QColor(kSelection) : QColor(0xff8a7a00), 1));
    if (marked.in) painter.drawLine(QPointF(left, plot.area.top()), QPointF(left, plot.area.bottom()));
    if (marked.out) painter.drawLine(QPointF(right, plot.area.top()), QPointF(right, plot.area.bottom()));
  }
  const auto upright = [&](int64_t at, double width, Qt::PenStyle style) {
    const double x = x_of(static_cast<double>(at), plot);
    painter.setPen(QPen(palette().color(QPalette::Text), width, style));
    painter.drawLine(QPointF(x, plot.area.top()), QPointF(x, plot.area.bottom()));
  };
  upright(frame(), 1.5, Qt::SolidLine);
  if (pointed()) upright(*pointed(), 1, Qt::DotLine);
  painter.restore();
  // A dot on each line, at what is told above.
  const std::optional<size_t> index = index_of(pointed().value_or(frame()));
  if (!index || !axis()->shows(static_cast<double>(scalars()->frames[*index]))) return;
  painter.setPen(Qt::NoPen);
  for (size_t i = 0; i < scalars()->series.size(); ++i) {
    const double value = scalars()->series[i].values[*index];
    if (!std::isfinite(value)) continue;
    painter.setBrush(color_of(i));
    painter.drawEllipse(
        QPointF(x_of(static_cast<double>(scalars()->frames[*index]), plot), plot.at({0, value}).y()), 3, 3);
  }
}

// ---- mouse

void TimePlot::hover(const QPointF& at) {
  if (axis()->frames() == 0) return;
  int64_t frame = frame_at(at.x());
  const std::vector<int64_t>& frames = scalars()->frames;
  const auto next = std::ranges::lower_bound(frames, frame);
  std::optional<int64_t> nearest;
  if (next != frames.end()) nearest = *next;
  if (next != frames.begin() && (!nearest || frame - *std::prev(next) < *nearest - frame))
    nearest = *std::prev(next);
  const double px = axis()->px_per_frame(data_rect().width());
  if (nearest && std::abs(static_cast<double>(*nearest - frame)) * px <= kSnap_px) frame = *nearest;
  point_at(frame);
}

void TimePlot::click(const QPointF& at) {
  pressed_x_ = at.x();
}

void TimePlot::mouseMoveEvent(QMouseEvent* event) {
  PlotCanvas::mouseMoveEvent(event);
  if (!(event->buttons() & Qt::LeftButton)) pressed_x_.reset(), dragged_.reset();
  if (!pressed_x_) return;
  const double x = event->position().x();
  if (!dragged_ && std::abs(x - *pressed_x_) < QApplication::startDragDistance()) return;
  const int64_t from = frame_at(*pressed_x_), to = frame_at(x);
  dragged_ = {std::min(from, to), std::max(from, to)};
  update();
}

void TimePlot::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !pressed_x_) return;
  const double x = *pressed_x_;
  pressed_x_.reset();
  if (const auto range = std::exchange(dragged_, std::nullopt)) {
    emit range_dragged(range->first, range->second);
  } else if (axis()->frames() > 0) {
    hover({x, 0});
    emit seek_requested(pointed().value_or(frame_at(x)));
  }
  update();
}

void TimePlot::wheelEvent(QWheelEvent* event) {
  if (axis()->frames() == 0) return;
  axis()->turn(*event, static_cast<double>(frame_at(event->position().x())));
  event->accept();
}

// A hidden widget gets no release.
void TimePlot::hideEvent(QHideEvent* event) {
  pressed_x_.reset(), dragged_.reset();
  PlotCanvas::hideEvent(event);
}

}  // namespace vantage::ui
