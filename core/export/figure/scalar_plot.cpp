#include "core/export/figure/scalar_plot.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"

namespace vantage {
namespace {

constexpr int kMaxOwnBins = 60;

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.9g}", value) : std::string();
}

// Label of the axis that all share: their unit, where it is one.
std::string common_label(const std::vector<ScalarSeries>& all) {
  if (all.size() == 1) return scalar_label(all[0]);
  std::set<std::string> units;
  for (const ScalarSeries& series : all) units.insert(series.unit);
  return units.size() == 1 ? *units.begin() : std::string();
}

std::string titles(const std::vector<ScalarSeries>& all) {
  std::string title;
  for (const ScalarSeries& series : all) append_item(&title, series.name);
  return title;
}

bool any_known(const std::vector<ScalarSeries>& all) {
  return std::ranges::any_of(all, [](const ScalarSeries& series) {
    return std::ranges::any_of(series.values, [](double value) { return std::isfinite(value); });
  });
}

std::string frame_csv(const ResultScalars& scalars) {
  std::string csv = "frame,time_s";
  for (const ScalarSeries& series : scalars.series) csv += "," + csv_quoted(series.name);
  csv += "\n";
  for (size_t i = 0; i < scalars.frames.size(); ++i) {
    csv += fmt::format("{},{:.6g}", scalars.frames[i],
                       static_cast<double>(scalars.frames[i]) / scalars.frame_rate);
    for (const ScalarSeries& series : scalars.series) csv += "," + csv_number(series.values[i]);
    csv += "\n";
  }
  return csv;
}

ScalarPlot over_time(const ResultScalars& scalars) {
  ScalarPlot made;
  made.plot.title = scalar_title(scalars.series, ScalarPlotKind::time);
  made.plot.x_label = "s", made.plot.y_label = common_label(scalars.series);
  made.plot.dots = false, made.plot.y_from_zero = false;
  for (const ScalarSeries& series : scalars.series) {
    PlotSeries line{scalar_label(series), {}};
    for (size_t i = 0; i < scalars.frames.size(); ++i)
      line.points.push_back({static_cast<double>(scalars.frames[i]) / scalars.frame_rate, series.values[i]});
    made.plot.series.push_back(std::move(line));
  }
  made.csv = frame_csv(scalars);
  return made;
}

ScalarPlot histogram(const ResultScalars& scalars, int wanted_bins) {
  const ScalarBins bins = scalar_bins(scalars, wanted_bins);
  ScalarPlot made;
  made.plot.title = scalar_title(scalars.series, ScalarPlotKind::histogram);
  made.plot.x_label = common_label(scalars.series), made.plot.y_label = "frames";
  made.plot.dots = false;
  made.csv = "series,from,to,frames\n";
  for (size_t i = 0; i < scalars.series.size(); ++i) {
    const ScalarSeries& series = scalars.series[i];
    PlotSeries steps{scalar_label(series), {{bins.low, 0}}};
    for (int bin = 0; bin < bins.count(); ++bin) {
      const double from = bins.from(bin), to = bins.to(bin);
      const auto count = static_cast<double>(bins.counts[i][bin]);
      steps.points.push_back({from, count});
      steps.points.push_back({to, count});
      made.csv += csv_quoted(series.name) + fmt::format(",{:.9g},{:.9g},{:.0f}\n", from, to, count);
    }
    steps.points.push_back({bins.high, 0});
    made.plot.series.push_back(std::move(steps));
  }
  return made;
}

// Pearson's; NaN of fewer than two points and where one of them does not vary.
double correlation_of(const std::vector<PlotPoint>& points) {
  const auto n = static_cast<double>(points.size());
  double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
  for (const PlotPoint& point : points) mean_x += point.x / n, mean_y += point.y / n;
  for (const PlotPoint& point : points) {
    const double dx = point.x - mean_x, dy = point.y - mean_y;
    xx += dx * dx, yy += dy * dy, xy += dx * dy;
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : NAN;
}

bool both_known(const ScalarSeries& x, const ScalarSeries& y, size_t frame) {
  return std::isfinite(x.values[frame]) && std::isfinite(y.values[frame]);
}

Result<ScalarPlot> scatter(const ResultScalars& scalars) {
  if (scalars.series.size() != 2)
    return fail(ErrorKind::invalid_argument, "a scatter plot shows two figures, one over the other",
                titles(scalars.series), "Name two: the first lies along x.");
  const ScalarSeries &x = scalars.series[0], &y = scalars.series[1];
  ScalarPlot made;
  made.plot.title = scalar_title(scalars.series, ScalarPlotKind::scatter);
  made.plot.x_label = scalar_label(x), made.plot.y_label = scalar_label(y);
  made.plot.lines = false, made.plot.y_from_zero = false;
  PlotSeries points;
  for (size_t i = 0; i < scalars.frames.size(); ++i)
    if (both_known(x, y, i)) points.points.push_back({x.values[i], y.values[i]});
  if (points.points.empty())
    return fail(ErrorKind::invalid_argument, "no frame has both figures", titles(scalars.series));
  points.name = scatter_text(x, y);
  made.plot.series.push_back(std::move(points));
  made.csv = frame_csv(scalars);
  return made;
}

}  // namespace

std::string_view scalar_plot_name(ScalarPlotKind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"time", "histogram", "scatter"};
  return kNames[static_cast<size_t>(kind)];
}

std::string scalar_label(const ScalarSeries& series) {
  return series.name + (series.unit.empty() ? "" : " (" + series.unit + ")");
}

std::string scalar_title(const std::vector<ScalarSeries>& all, ScalarPlotKind kind) {
  if (kind == ScalarPlotKind::histogram) return "How often " + titles(all) + " has a value";
  if (kind == ScalarPlotKind::scatter && all.size() == 2) return all[1].name + " over " + all[0].name;
  return titles(all) + " over time";
}

double ScalarBins::from(int bin) const {
  return low + bin * ((high - low) / count());
}

double ScalarBins::to(int bin) const {
  return bin + 1 == count() ? high : from(bin + 1);
}

int ScalarBins::bin_of(double value) const {
  return std::clamp(static_cast<int>((value - low) / ((high - low) / count())), 0, count() - 1);
}

ScalarBins scalar_bins(const ResultScalars& scalars, int bins) {
  ScalarBins made;
  size_t most = 0;
  double low = INFINITY, high = -INFINITY;
  for (const ScalarSeries& series : scalars.series) {
    size_t known = 0;
    for (const double value : series.values)
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value), ++known;
    most = std::max(most, known);
  }
  if (most == 0) return made;
  if (bins == 0)
    bins = std::clamp(static_cast<int>(std::ceil(std::sqrt(static_cast<double>(most)))), 1, kMaxOwnBins);
  made.low = high > low ? low : low - 0.5, made.high = high > low ? high : low + 0.5;
  made.counts.assign(scalars.series.size(), std::vector<int64_t>(static_cast<size_t>(bins)));
  for (size_t i = 0; i < scalars.series.size(); ++i)
    for (const double value : scalars.series[i].values)
      if (std::isfinite(value)) ++made.counts[i][made.bin_of(value)];
  return made;
}

std::string scatter_text(const ScalarSeries& x, const ScalarSeries& y) {
  std::vector<PlotPoint> points;
  for (size_t i = 0; i < x.values.size(); ++i)
    if (both_known(x, y, i)) points.push_back({x.values[i], y.values[i]});
  const double r = correlation_of(points);
  return fmt::format("{} frames", points.size()) +
         (std::isfinite(r) ? fmt::format(", r = {:.2f}", r) : std::string());
}

Result<ScalarPlot> scalar_plot(const ResultScalars& scalars, ScalarPlotKind kind, int bins) {
  if (!any_known(scalars.series))
    return fail(ErrorKind::invalid_argument, "no value is known in these frames", titles(scalars.series));
  switch (kind) {
    case ScalarPlotKind::time:
      return over_time(scalars);
    case ScalarPlotKind::histogram:
      return histogram(scalars, bins);
    case ScalarPlotKind::scatter:
      return scatter(scalars);
  }
  return over_time(scalars);
}

Status write_scalar_plot(const ScalarPlot& plot, const std::filesystem::path& file) {
  if (file.extension() == ".csv") return write_file_atomically(file, plot.csv);
  if (const std::string ending = file.extension().string();
      ending != ".svg" && ending != ".pdf" && ending != ".png")
    return fail(ErrorKind::invalid_argument, "plots are not written in this format", file.string(),
                "Use a name that ends in .csv, .svg, .pdf or .png.");
  return write_plot(plot.plot, file);
}

}  // namespace vantage
