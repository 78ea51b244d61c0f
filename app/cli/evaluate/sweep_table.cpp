#include <algorithm>
#include <cmath>
#include <limits>

#include "app/cli/evaluate/sweep_folder.h"
#include "core/base/formatted.h"
#include "core/display/plot.h"
#include "core/project/parameters_json.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

std::string number_text(double value) {
  return std::isfinite(value) ? formatted("%.6g", value) : std::string();
}

ordered_json span_json(const SweepTable& table, const SpanFigures& figures) {
  if (figures.whole.empty()) return {};
  ordered_json json = ordered_json::object();
  for (size_t m = 0; m < table.metrics.size(); ++m) {
    ordered_json blocks = ordered_json::array();
    for (const std::vector<double>& block : figures.blocks) blocks.push_back(number_json(block[m]));
    json[std::string(table.metrics[m]->name)] = {{"value", number_json(figures.whole[m])},
                                                 {"deviation", number_json(deviation_of(figures, m))},
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

std::string axis_text(const SweptParameter& parameter) {
  return parameter.key() +
         (parameter.description->unit.empty() ? "" : " (" + parameter.description->unit + ")");
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

// White to the blue of Okabe and Ito, for shares of the way from the worst to the best.
std::string shade(double share) {
  const auto mix = [&](int to) { return static_cast<int>(std::lround(255 + share * (to - 255))); };
  return formatted("#%02x%02x%02x", mix(0x00), mix(0x72), mix(0xb2));
}

std::string cell_svg(const std::string& text, double x, double y, double width, double height, double share) {
  return formatted("<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s' stroke='#ffffff'/>", x, y,
                   width, height, shade(share).c_str()) +
         formatted("<text x='%.1f' y='%.1f' text-anchor='middle' fill='%s'>%s</text>\n", x + width / 2,
                   y + height / 2 + 4, share > 0.55 ? "#ffffff" : "#000000", text.c_str());
}

std::string heat_map_svg(const SweepTable& table) {
  const SweptParameter &down = table.points.parameters[0], &across = table.points.parameters[1];
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& [index, point] : table.measured)
    if (const double value = point.tune.whole[0]; std::isfinite(value))
      low = std::min(low, value), high = std::max(high, value);
  if (low > high) return {};
  const bool lower_is_better = table.metrics[0]->better == Better::lower;
  constexpr double kLeft = 150, kTop = 70, kWidth = 74, kHeight = 30;
  const double right = kLeft + kWidth * static_cast<double>(across.values.size());
  const double bottom = kTop + kHeight * static_cast<double>(down.values.size());
  std::string svg = formatted(
      "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' font-family='sans-serif' "
      "font-size='12'>\n<rect width='100%%' height='100%%' fill='#ffffff'/>\n",
      right + 30, bottom + 50);
  svg += formatted("<text x='%.0f' y='24' font-size='14'>%s, tuning span</text>\n", kLeft,
                   std::string(table.metrics[0]->name).c_str());
  svg += formatted("<text x='%.0f' y='44'>%s</text>\n", kLeft, axis_text(across).c_str());
  svg += formatted("<text x='10' y='%.0f'>%s</text>\n", bottom + 34, ("rows: " + axis_text(down)).c_str());
  for (size_t x = 0; x < across.values.size(); ++x)
    svg += formatted("<text x='%.1f' y='62' text-anchor='middle'>%s</text>\n",
                     kLeft + kWidth * (static_cast<double>(x) + 0.5), across.text(across.values[x]).c_str());
  for (size_t y = 0; y < down.values.size(); ++y) {
    const double top = kTop + kHeight * static_cast<double>(y);
    svg += formatted("<text x='%.0f' y='%.1f' text-anchor='end'>%s</text>\n", kLeft - 8,
                     top + kHeight / 2 + 4, down.text(down.values[y]).c_str());
    for (size_t x = 0; x < across.values.size(); ++x) {
      const auto found = table.measured.find(y * across.values.size() + x);
      if (found == table.measured.end() || !std::isfinite(found->second.tune.whole[0])) continue;
      const double value = found->second.tune.whole[0];
      const double share = high > low ? (value - low) / (high - low) : 1;
      svg += cell_svg(formatted("%.4g", value), kLeft + kWidth * static_cast<double>(x), top, kWidth, kHeight,
                      lower_is_better ? 1 - share : share);
    }
  }
  return svg + "</svg>\n";
}

}  // namespace

std::optional<BestPoint> best_point(const SweepTable& table) {
  return best_point(*table.metrics[0], table.measured);
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
  return table.points.parameters.size() == 1 ? curve_svg(table) : heat_map_svg(table);
}

}  // namespace vantage::cli
