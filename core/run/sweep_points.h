// Points of a sweep, their figures, and the best of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/parameters.h"
#include "core/display/heat_map.h"
#include "core/run/sweep.h"

namespace vantage {

struct SweptParameter {
  std::string stage;
  const ParameterDescription* description = nullptr;
  std::vector<double> values = {};  // ascending for numbers; of random points: both ends of the range

  std::string key() const { return stage + "." + description->name; }
  std::string text(double value) const { return ParameterStore::to_text(*description, value); }
};

struct SweepPoints {
  std::vector<SweptParameter> parameters;   // earlier stages' first
  std::vector<std::vector<double>> points;  // one value for each parameter
  bool random = false;
  uint32_t seed = 0;  // seed of random points
};

// Evenly spaced values between both ends, included, in short decimal numbers; integers without repetition. At
// least two steps.
std::vector<double> stepped_values(const ParameterDescription& parameter, double from, double to,
                                   size_t steps);

// Values such as "0.1, 0.3, 0.6", as for --set; numbers ascending, without repetition. Errors: those of
// ParameterStore::set_from_text().
Result<std::vector<double>> listed_values(const SweptParameter& parameter, const std::string& text,
                                          const ParameterStore& store);
bool has_range(const ParameterDescription& parameter);  // a number, not a choice or a switch

// `count` points, uniformly distributed between the two values of each parameter; a seed gives the same
// points everywhere. Parameters are sorted by stage.
SweepPoints random_points(std::vector<SweptParameter> parameters, size_t count, uint32_t seed,
                          const ParameterStore& store);

// Every combination of the parameters' values; those of the parameter named last are consecutive. Parameters
// of earlier stages come first, since artifacts of stages before a changed one are kept.
SweepPoints all_points(std::vector<SweptParameter> parameters, const ParameterStore& store);
void sort_by_stage(const ParameterStore& store, std::vector<SweptParameter>* parameters);
// "people.min_own=0.4 tracking.keep_s=2".
std::string point_text(const SweepPoints& points, size_t point);

Project project_at(const Project& project, const SweepPoints& points, size_t point);

// Sample deviation of a metric over the blocks; NaN where fewer than two are known.
double deviation_of(const SpanFigures& figures, size_t metric);

// The best point of the tuning span by the first metric, and those as good: the difference, block by block,
// may be noise (95 %). Nothing where the metric has no better direction, or nothing is known.
struct BestPoint {
  size_t point = 0;
  std::vector<size_t> as_good;
};
std::optional<BestPoint> best_point(const SweepMetric& first, const std::map<size_t, SweepPoint>& measured);

// Figures of a sweep over two parameters.

std::string axis_text(const SweptParameter& parameter);  // "tracking.keep_s (s)"

// The first metric over both parameters, not random, on the tuning span and, if there is one, on the test
// span, with a common scale; the best point of the tuning span is marked in both.
std::vector<HeatMap> sweep_heat_maps(const SweepPoints& points, const SweepMetric& metric,
                                     const std::map<size_t, SweepPoint>& measured, bool tested);

}  // namespace vantage
