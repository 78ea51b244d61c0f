#include "core/run/sweep_points.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string_view>
#include <utility>

#include "core/base/csv_fields.h"
#include "core/base/formatted.h"
#include "core/metrics/spread.h"

namespace vantage {
namespace {

constexpr size_t kMinBlocks = 6;  // fewer cannot tell a difference from noise (spread.h)

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
    // Steps of a tenth are 0.3, not 0.30000000000000004.
    const double at = std::strtod(formatted("%.12g", from + (to - from) * share).c_str(), nullptr);
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

// The generator's own bits.
SweepPoints random_points(std::vector<SweptParameter> parameters, size_t count, uint32_t seed,
                          const ParameterStore& store) {
  sort_by_stage(store, &parameters);
  SweepPoints points{std::move(parameters), std::vector<std::vector<double>>(count), true, seed};
  std::mt19937 random(seed);
  for (std::vector<double>& point : points.points)
    for (const SweptParameter& parameter : points.parameters) {
      const double share = static_cast<double>(random()) / 4294967295.0;
      const double value = parameter.values[0] + share * (parameter.values[1] - parameter.values[0]);
      // In digits that one would type.
      const double typed = std::clamp(std::strtod(formatted("%.5g", value).c_str(), nullptr),
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

}  // namespace vantage
