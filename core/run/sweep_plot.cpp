#include "core/run/sweep_plot.h"

#include <limits>
#include <utility>

namespace vantage {
namespace {

std::vector<std::string> value_texts(const SweptParameter& parameter) {
  std::vector<std::string> texts;
  for (const double value : parameter.values) texts.push_back(parameter.text(value));
  return texts;
}

}  // namespace

std::string axis_text(const SweptParameter& parameter) {
  return parameter.key() +
         (parameter.description->unit.empty() ? "" : " (" + parameter.description->unit + ")");
}

std::vector<HeatMap> sweep_heat_maps(const SweepPoints& points, const SweepMetric& metric,
                                     const std::map<size_t, SweepPoint>& measured, bool tested) {
  const std::optional<BestPoint> best = best_point(metric, measured);
  std::vector<HeatMap> maps;
  for (const auto& [name, span] :
       {std::pair{"tuning span", &SweepPoint::tune}, std::pair{"test span", &SweepPoint::test}}) {
    if (!tested && !maps.empty()) break;
    HeatMap map;
    map.title = std::string(metric.name) + ", " + name;
    map.y_label = axis_text(points.parameters[0]), map.x_label = axis_text(points.parameters[1]);
    map.rows = value_texts(points.parameters[0]), map.columns = value_texts(points.parameters[1]);
    map.values.assign(points.points.size(), std::numeric_limits<double>::quiet_NaN());
    for (const auto& [index, point] : measured)
      if (const SpanFigures& figures = point.*span; !figures.whole.empty())
        map.values[index] = figures.whole[0];
    map.lower_is_better = metric.better == Better::lower;
    if (best) map.best = best->point;
    maps.push_back(std::move(map));
  }
  for (HeatMap& map : maps) map.range = common_range(maps);
  return maps;
}

}  // namespace vantage
