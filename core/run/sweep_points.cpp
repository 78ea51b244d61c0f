#include "core/run/sweep_points.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string_view>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/display/plot.h"
#include "core/metrics/block_bootstrap.h"
#include "core/project/json_parts.h"
#include "core/run/sweep_folder.h"

namespace vantage {
namespace {

constexpr size_t kMinBlocks = 6;  // fewer cannot separate a difference from noise (block_bootstrap.h)

std::vector<double> known_blocks(const SpanFigures& figures, size_t metric) {
  std::vector<double> values;
  for (const std::vector<double>& block : figures.blocks)
    if (std::isfinite(block[metric])) values.push_back(block[metric]);
  return values;
}

bool is_as_good(const SpanFigures& best, const SpanFigures& other) {
  std::vector<double> differences;
  for (size_t block = 0; block < best.blocks.size(); ++block)
    if (const double difference = best.blocks[block][0] - other.blocks[block][0]; std::isfinite(difference))
      differences.push_back(difference);
  if (differences.size() < kMinBlocks) return false;
  const Middle middle = middle_of(differences);
  return middle.from <= 0 && middle.to >= 0;
}

}  // namespace

std::vector<double> stepped_values(const ParameterDescription& parameter, double from, double to,
                                   size_t steps) {
  std::vector<double> values;
  for (size_t i = 0; i < steps; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(steps - 1);
    // Rounds decimal steps: 0.3, not 0.30000000000000004.
    const double at = std::strtod(fmt::format("{:.12g}", from + (to - from) * share).c_str(), nullptr);
    values.push_back(parameter.type == ParameterType::integer ? std::round(at) : at);
  }
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

bool has_range(const ParameterDescription& parameter) {
  return parameter.type == ParameterType::real || parameter.type == ParameterType::integer;
}

Result<std::vector<double>> listed_values(const SweptParameter& parameter, const std::string& text,
                                          const ParameterStore& store) {
  std::vector<double> values;
  for (const std::string_view one : csv_fields(text)) {
    ParameterStore copy = store;
    VANTAGE_TRY(copy.set_from_text(parameter.key() + "=" + std::string(one)));
    VANTAGE_ASSIGN(const double value, copy.get(parameter.stage, parameter.description->name));
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  if (has_range(*parameter.description)) std::ranges::sort(values);
  return values;
}

// Uses the generator's bits directly, which are the same everywhere.
SweepPoints random_points(std::vector<SweptParameter> parameters, size_t count, uint32_t seed,
                          const ParameterStore& store) {
  sort_by_stage(store, &parameters);
  SweepPoints points{std::move(parameters), std::vector<std::vector<double>>(count), true, seed};
  std::mt19937 random(seed);
  for (std::vector<double>& point : points.points)
    for (const SweptParameter& parameter : points.parameters) {
      const double share = static_cast<double>(random()) / 4294967295.0;
      const double value = parameter.values[0] + share * (parameter.values[1] - parameter.values[0]);
      // Rounded to a few digits.
      const double typed = std::clamp(std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr),
                                      parameter.values[0], parameter.values[1]);
      point.push_back(parameter.description->type == ParameterType::integer ? std::round(value) : typed);
    }
  return points;
}

void sort_by_stage(const ParameterStore& store, std::vector<SweptParameter>* parameters) {
  const auto& tables = store.tables();
  std::ranges::stable_sort(*parameters, {}, [&](const SweptParameter& parameter) {
    return std::ranges::find(tables, parameter.stage, &ParameterTable::stage) - tables.begin();
  });
}

SweepPoints all_points(std::vector<SweptParameter> parameters, const ParameterStore& store) {
  sort_by_stage(store, &parameters);
  SweepPoints points{std::move(parameters), {{}}, false};
  for (const SweptParameter& parameter : points.parameters) {
    std::vector<std::vector<double>> longer;
    for (const std::vector<double>& point : points.points)
      for (const double value : parameter.values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    points.points = std::move(longer);
  }
  return points;
}

std::string point_text(const SweepPoints& points, size_t point) {
  std::string text;
  for (size_t i = 0; i < points.parameters.size(); ++i) {
    const SweptParameter& parameter = points.parameters[i];
    text += (text.empty() ? "" : " ") + parameter.key() + "=" + parameter.text(points.points[point][i]);
  }
  return text;
}

Project project_at(const Project& project, const SweepPoints& points, size_t point) {
  Project there = project;
  for (size_t i = 0; i < points.parameters.size(); ++i) {
    const SweptParameter& parameter = points.parameters[i];
    // The values were checked when they were read.
    static_cast<void>(
        there.parameters.set(parameter.stage, parameter.description->name, points.points[point][i]));
  }
  return there;
}

double deviation_of(const SpanFigures& figures, size_t metric) {
  const std::vector<double> values = known_blocks(figures, metric);
  if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(values.size());
  return spread_of(values).deviation * std::sqrt(n / (n - 1));
}

std::optional<BestPoint> best_point(const SweepMetric& first, const std::map<size_t, SweepPoint>& measured) {
  const auto sign = static_cast<double>(first.better);
  std::optional<BestPoint> best;
  double highest = -std::numeric_limits<double>::infinity();
  for (const auto& [index, point] : measured)
    if (const double value = sign * point.tune.whole[0]; sign != 0 && value > highest)
      highest = value, best = BestPoint{index, {}};
  if (!best) return best;
  for (const auto& [index, point] : measured)
    if (index != best->point && is_as_good(measured.at(best->point).tune, point.tune))
      best->as_good.push_back(index);
  return best;
}

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

namespace {

using nlohmann::ordered_json;

// Null where the figure is unknown.
ordered_json figure_number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json();
}

std::string number_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : std::string();
}

ordered_json span_json(const SweepTable& table, const SpanFigures& figures) {
  if (figures.whole.empty()) return {};
  ordered_json json = ordered_json::object();
  for (size_t m = 0; m < table.metrics.size(); ++m) {
    ordered_json blocks = ordered_json::array();
    for (const std::vector<double>& block : figures.blocks) blocks.push_back(figure_number(block[m]));
    json[std::string(table.metrics[m]->name)] = {{"value", figure_number(figures.whole[m])},
                                                 {"deviation", figure_number(deviation_of(figures, m))},
                                                 {"blocks", blocks}};
  }
  return json;
}

ordered_json point_json(const SweepTable& table, size_t point) {
  ordered_json values = ordered_json::object();
  for (size_t i = 0; i < table.points.parameters.size(); ++i)
    values[table.points.parameters[i].key()] =
        parameter_value_json(*table.points.parameters[i].description, table.points.points[point][i]);
  const SweepPoint& measured = table.measured.at(point);
  return {{"point", point},
          {"values", values},
          {"tune", span_json(table, measured.tune)},
          {"test", span_json(table, measured.test)}};
}

std::string curve_svg(const SweepTable& table) {
  const SweptParameter& parameter = table.points.parameters[0];
  Plot plot;
  plot.title = std::string(table.metrics[0]->name) + " over " + parameter.key() +
               ", bars: deviation over blocks of time";
  plot.x_label = axis_text(parameter), plot.y_label = table.metrics[0]->name;
  const auto add = [&](const char* name, SpanFigures SweepPoint::* span) {
    PlotSeries series{name, {}};
    for (const auto& [index, point] : table.measured) {
      const SpanFigures& figures = point.*span;
      if (figures.whole.empty() || !std::isfinite(figures.whole[0])) continue;
      const double y = figures.whole[0], deviation = deviation_of(figures, 0);
      const double half = std::isfinite(deviation) ? deviation : 0;
      series.points.push_back({table.points.points[index][0], y, y - half, y + half});
    }
    std::sort(series.points.begin(), series.points.end(),
              [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  };
  add("tuning span", &SweepPoint::tune);
  if (table.tested) add("test span", &SweepPoint::test);
  return plot.series.empty() ? std::string() : plot_svg(plot);
}

// Unit of an instant's amount.
std::string_view amount_unit(MomentKind kind) {
  switch (kind) {
    case MomentKind::apart:
      return "m";
    case MomentKind::slow:
      return "ms";
    case MomentKind::mask:
      return "IoU";
    default:
      return "frames";
  }
}

std::string id_text(int64_t id) {
  return id > 0 ? std::to_string(id) : std::string();
}

std::string moment_line(const WorstMoment& moment) {
  const bool placed = moment.kind != MomentKind::mask && moment.kind != MomentKind::slow;
  std::string line(moment_kind_name(moment.kind));
  for (const int64_t frame : {moment.frame, moment.first_frame, moment.last_frame})
    line += "," + std::to_string(frame);
  for (const int64_t id : {moment.true_id, moment.id, moment.id_before}) line += "," + id_text(id);
  line += "," + csv_quoted(moment.camera);
  line += placed ? fmt::format(",{:.4f},{:.4f}", moment.x_m, moment.y_m) : std::string(",,");
  return line + fmt::format(",{:.6g},", moment.amount) + std::string(amount_unit(moment.kind)) + "\n";
}

}  // namespace

std::optional<BestPoint> best_point(const SweepTable& table) {
  return best_point(*table.metrics[0], table.measured);
}

Status write_sweep_table(const SweepTable& table, const std::filesystem::path& folder) {
  VANTAGE_TRY(write_file_atomically(folder / "sweep.csv", sweep_csv(table)));
  VANTAGE_TRY(write_file_atomically(folder / "sweep.json", json_text(sweep_json(table), 2) + "\n"));
  VANTAGE_TRY(write_file_atomically(folder / "moments.csv", moments_csv(table)));
  const std::string svg = sweep_svg(table);
  return svg.empty() ? Status() : write_file_atomically(folder / "sweep.svg", svg);
}

std::string sweep_csv(const SweepTable& table) {
  const std::optional<BestPoint> best = best_point(table);
  std::string csv = "point";
  for (const SweptParameter& parameter : table.points.parameters) csv.append(",").append(parameter.key());
  for (const char* span : {"tune", "test"})
    for (const SweepMetric* metric : table.metrics)
      for (const char* what : {"", "_deviation"})
        if (table.tested || std::string_view(span) == "tune")
          csv += "," + std::string(span) + "_" + std::string(metric->name) + what;
  csv += ",best,as_good\n";
  for (const auto& [index, point] : table.measured) {
    csv += std::to_string(index);
    for (size_t i = 0; i < table.points.parameters.size(); ++i)
      csv.append(",").append(table.points.parameters[i].text(table.points.points[index][i]));
    for (const SpanFigures* figures : {&point.tune, &point.test})
      for (size_t m = 0; m < figures->whole.size(); ++m)
        csv.append(",")
            .append(number_text(figures->whole[m]))
            .append(",")
            .append(number_text(deviation_of(*figures, m)));
    const bool is_best = best && best->point == index;
    const bool as_good = best && std::count(best->as_good.begin(), best->as_good.end(), index) > 0;
    csv += std::string(is_best ? ",1" : ",0") + (is_best || as_good ? ",1\n" : ",0\n");
  }
  return csv;
}

std::string moments_csv(const SweepTable& table) {
  std::string csv = "point";
  for (const SweptParameter& parameter : table.points.parameters) csv.append(",").append(parameter.key());
  csv += ",span,rank,kind,frame,first_frame,last_frame,true_id,id,id_before,camera,x_m,y_m,amount,unit\n";
  for (const auto& [index, point] : table.measured) {
    std::string head = std::to_string(index);
    for (size_t i = 0; i < table.points.parameters.size(); ++i)
      head.append(",").append(table.points.parameters[i].text(table.points.points[index][i]));
    for (const auto& [span, figures] : {std::pair{"tune", &point.tune}, std::pair{"test", &point.test}})
      for (size_t rank = 0; rank < figures->moments.size(); ++rank)
        csv += head + "," + span + "," + std::to_string(rank + 1) + "," + moment_line(figures->moments[rank]);
  }
  return csv;
}

ordered_json sweep_json(const SweepTable& table) {
  ordered_json json = table.about;
  json["finished"] = table.measured.size() == table.points.points.size();
  json["points"] = ordered_json::array();
  for (const auto& [index, point] : table.measured) json["points"].push_back(point_json(table, index));
  json["best"] = nullptr;
  if (const std::optional<BestPoint> best = best_point(table)) {
    json["best"] = point_json(table, best->point);
    json["best"]["metric"] = table.metrics[0]->name;
    json["best"]["as_good"] = best->as_good;
  }
  return json;
}

std::string sweep_svg(const SweepTable& table) {
  if (table.measured.empty() || table.points.parameters.size() > (table.points.random ? 1u : 2u)) return {};
  if (table.points.parameters.size() == 1) return curve_svg(table);
  return heat_map_svg(sweep_heat_maps(table.points, *table.metrics[0], table.measured, table.tested));
}

}  // namespace vantage
