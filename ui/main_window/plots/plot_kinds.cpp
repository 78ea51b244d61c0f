#include "ui/main_window/plots/plot_kinds.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/clock.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/time_axis.h"

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

void TimePlot::draw_marks(QPainter& painter, const PlotArea& plot) const {
  painter.save();
  painter.setClipRect(plot.area.adjusted(-2, 0, 2, 0));
  const MarkedRange marked = dragged_ ? MarkedRange{dragged_->first, dragged_->second} : range();
  if (!marked.empty()) {
    const double left = x_of(static_cast<double>(marked.in.value_or(axis()->first_frame())), plot);
    const double right = x_of(static_cast<double>(marked.out.value_or(axis()->end_frame() - 1)), plot);
    QColor fill(kSelection);
    fill.setAlpha(kRangeAlpha);
    painter.fillRect(QRectF(left, plot.area.top(), std::max(1.0, right - left), plot.area.height()), fill);
    painter.setPen(QPen(tone(Tone::chosen, palette()), 1));
    if (marked.in) painter.drawLine(plot.upright(left));
    if (marked.out) painter.drawLine(plot.upright(right));
  }
  const auto upright = [&](int64_t at, double width, Qt::PenStyle style) {
    painter.setPen(QPen(palette().color(QPalette::Text), width, style));
    painter.drawLine(plot.upright(x_of(static_cast<double>(at), plot)));
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

namespace {

constexpr int kBarAlpha = 80, kChosenBinAlpha = 70;

QRectF bar_of(const PlotArea& plot, const ScalarBins& bins, int bin, double count) {
  return QRectF(plot.at({bins.from(bin), count}), plot.at({bins.to(bin), 0})).normalized();
}

}  // namespace

// A chosen bin stays while values are added, unless it is not there any more.
void HistogramPlot::scalars_changed() {
  bins_ = scalars() ? scalar_bins(*scalars(), spec().bins) : ScalarBins{};
  if (bin_ && *bin_ >= bins_.count()) bin_.reset();
  hovered_.reset();
  emit bin_chosen();
}

PlotArea HistogramPlot::find_area() const {
  PlotArea plot{data_rect()};
  plot.x_low = bins_.low, plot.x_high = bins_.high;
  int64_t most = 1;
  for (const auto& counts : bins_.counts)
    for (const int64_t count : counts) most = std::max(most, count);
  plot.y_low = 0, plot.y_high = 1.05 * static_cast<double>(most);
  return plot;
}

QRectF HistogramPlot::bin_area(int bin) const {
  return bar_of(plot(), bins_, bin, plot().y_high);
}

void HistogramPlot::draw_data(QPainter& painter, const PlotArea& plot) const {
  draw_columns(painter, plot, palette());
  for (size_t series = 0; series < bins_.counts.size(); ++series) {
    QColor fill = color_of(series);
    fill.setAlpha(kBarAlpha);
    QPolygonF outline{{plot.at({bins_.low, 0})}};
    painter.setPen(Qt::NoPen);
    for (int bin = 0; bin < bins_.count(); ++bin) {
      const auto count = static_cast<double>(bins_.counts[series][bin]);
      painter.fillRect(bar_of(plot, bins_, bin, count), fill);
      outline << plot.at({bins_.from(bin), count}) << plot.at({bins_.to(bin), count});
    }
    outline << plot.at({bins_.high, 0});
    painter.setPen(QPen(color_of(series), 1.5, line_of(series)));
    painter.drawPolyline(outline);
  }
}

// The chosen bin, the one that is pointed at, and where the values of the frame lie.
void HistogramPlot::draw_marks(QPainter& painter, const PlotArea& plot) const {
  if (bin_) {
    QColor fill(kSelection);
    fill.setAlpha(kChosenBinAlpha);
    painter.fillRect(bar_of(plot, bins_, *bin_, plot.y_high), fill);
  }
  painter.setBrush(Qt::NoBrush);
  if (const std::optional<int> bin = reported_bin()) {
    painter.setPen(QPen(palette().color(QPalette::Text), 1, hovered_ ? Qt::DotLine : Qt::SolidLine));
    painter.drawRect(bar_of(plot, bins_, *bin, plot.y_high));
  }
  const std::optional<size_t> index = index_of(pointed().value_or(frame()));
  if (!index) return;
  painter.setPen(Qt::NoPen);
  for (size_t i = 0; i < scalars()->series.size(); ++i) {
    const double value = scalars()->series[i].values[*index];
    if (!std::isfinite(value) || value < plot.x_low || value > plot.x_high) continue;
    const QPointF foot = plot.at({value, 0});
    painter.setBrush(color_of(i));
    painter.drawPolygon(QPolygonF{{foot.x() - 5, foot.y() + 8}, {foot.x() + 5, foot.y() + 8}, foot});
  }
}

QString HistogramPlot::position_text() const {
  if (const std::optional<int> bin = reported_bin())
    return tr("%1 to %2, frames:").arg(plot_number(bins_.from(*bin)), plot_number(bins_.to(*bin)));
  return tr("How often");
}

QString HistogramPlot::figure_text(size_t series) const {
  const std::optional<int> bin = reported_bin();
  if (!bin) return PlotCanvas::figure_text(series);
  return QString::fromStdString(scalar_label(scalars()->series[series])) + ' ' +
         QString::number(bins_.counts[series][*bin]);
}

std::optional<int> HistogramPlot::bin_at(const QPointF& at) const {
  const PlotArea& area = plot();
  if (bins_.count() == 0 || !area.area.contains(at)) return std::nullopt;
  return bins_.bin_of(area.value_at(at).x());
}

void HistogramPlot::hover(const QPointF& at) {
  const std::optional<int> bin = bin_at(at);
  if (bin == hovered_) return;
  hovered_ = bin;
  update();
}

void HistogramPlot::leaveEvent(QEvent* event) {
  hovered_.reset();
  PlotCanvas::leaveEvent(event);
  update();
}

void HistogramPlot::click(const QPointF& at) {
  const std::optional<int> bin = bin_at(at);
  const bool again = bin && bin == bin_;
  bin_ = bin;
  emit bin_chosen();
  update();
  if (again) return step(1);
  if (const std::vector<int64_t> frames = frames_of_bin(); !frames.empty())
    emit seek_requested(frames.front());
}

std::vector<int64_t> HistogramPlot::frames_of_bin() const {
  std::vector<int64_t> frames;
  if (!bin_ || !scalars()) return frames;
  for (size_t i = 0; i < scalars()->frames.size(); ++i)
    if (std::ranges::any_of(scalars()->series, [&](const ScalarSeries& series) {
          return std::isfinite(series.values[i]) && bins_.bin_of(series.values[i]) == *bin_;
        }))
      frames.push_back(scalars()->frames[i]);
  return frames;
}

// The last is followed by the first again.
void HistogramPlot::step(int by) {
  const std::vector<int64_t> frames = frames_of_bin();
  if (frames.empty()) return;
  if (by > 0) {
    const auto next = std::ranges::upper_bound(frames, frame());
    emit seek_requested(next == frames.end() ? frames.front() : *next);
  } else {
    const auto here = std::ranges::lower_bound(frames, frame());
    emit seek_requested(here == frames.begin() ? frames.back() : *std::prev(here));
  }
}

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
void ScatterPlot::draw_marks(QPainter& painter, const PlotArea& plot) const {
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

std::optional<QPointF> ScatterPlot::place_of(int64_t frame) const {
  const std::optional<size_t> index = index_of(frame);
  const std::optional<QPointF> value = index ? value_of(*index) : std::nullopt;
  return value ? std::optional(plot().at(*value)) : std::nullopt;
}

std::optional<int64_t> ScatterPlot::frame_near(const QPointF& at) const {
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
