#include "ui/main_window/plots/histogram_plot.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/widgets/colors.h"

namespace vantage::ui {
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

QRectF HistogramPlot::bin_area(int bin) {
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
      const auto count = static_cast<double>(bins_.counts[series][static_cast<size_t>(bin)]);
      painter.fillRect(bar_of(plot, bins_, bin, count), fill);
      outline << plot.at({bins_.from(bin), count}) << plot.at({bins_.to(bin), count});
    }
    outline << plot.at({bins_.high, 0});
    painter.setPen(QPen(color_of(series), 1.5, line_of(series)));
    painter.drawPolyline(outline);
  }
}

// The chosen bin, the one that is pointed at, and where the values of the frame lie.
void HistogramPlot::draw_over(QPainter& painter, const PlotArea& plot) const {
  if (bin_) {
    QColor fill(kSelection);
    fill.setAlpha(kChosenBinAlpha);
    painter.fillRect(bar_of(plot, bins_, *bin_, plot.y_high), fill);
  }
  painter.setBrush(Qt::NoBrush);
  if (const std::optional<int> bin = told_bin()) {
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
  if (const std::optional<int> bin = told_bin())
    return tr("%1 to %2, frames:").arg(plot_number(bins_.from(*bin)), plot_number(bins_.to(*bin)));
  return tr("How often");
}

QString HistogramPlot::figure_text(size_t series) const {
  const std::optional<int> bin = told_bin();
  if (!bin) return PlotCanvas::figure_text(series);
  return QString::fromStdString(scalar_label(scalars()->series[series])) + ' ' +
         QString::number(bins_.counts[series][static_cast<size_t>(*bin)]);
}

std::optional<int> HistogramPlot::bin_at(const QPointF& at) {
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

}  // namespace vantage::ui
