// The points of a sweep, what was measured at each, and which of them is best.
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
  std::vector<double> values = {};  // ascending where they are numbers; of random points: its two ends

  std::string key() const { return stage + "." + description->name; }
  std::string text(double value) const { return ParameterStore::to_text(*description, value); }
};

struct SweepPoints {
  std::vector<SweptParameter> parameters;   // those of earlier stages first
  std::vector<std::vector<double>> points;  // one value for each parameter
  bool random = false;
  uint32_t seed = 0;  // of random ones
};

// Evenly from one to the other, both of them, in decimal digits that one would type; whole numbers once each.
// At least two steps.
std::vector<double> stepped_values(const ParameterDescription& parameter, double from, double to,
                                   size_t steps);

// "0.1, 0.3, 0.6": values as --set takes them, numbers ascending, each once. Errors: those of
// ParameterStore::set_from_text().
Result<std::vector<double>> listed_values(const SweptParameter& parameter, const std::string& text,
                                          const ParameterStore& store);
bool has_range(const ParameterDescription& parameter);  // a number, not a choice or a switch

// So many points, evenly distributed between the two values of each parameter; a seed gives the same points
// everywhere. Parameters are sorted by stage.
SweepPoints random_points(std::vector<SweptParameter> parameters, size_t count, uint32_t seed,
                          const ParameterStore& store);

// Every combination of the parameters' values, those of the parameter named last side by side; parameters of
// earlier stages first, as what stages before a changed one make is kept.
SweepPoints all_points(std::vector<SweptParameter> parameters, const ParameterStore& store);
void sort_by_stage(const ParameterStore& store, std::vector<SweptParameter>* parameters);
// "people.min_own=0.4 tracking.keep_s=2".
std::string point_text(const SweepPoints& points, size_t point);

Project project_at(const Project& project, const SweepPoints& points, size_t point);

// Deviation of a metric over the blocks, as a sample's; NaN where fewer than two are known.
double deviation_of(const SpanFigures& figures, size_t metric);

// The best point of the tuning span by the first metric, and those that are as good: whose difference from
// it, block by block, may be noise (95 %). Nothing where the metric has no better, or nothing is known.
struct BestPoint {
  size_t point = 0;
  std::vector<size_t> as_good;
};
std::optional<BestPoint> best_point(const SweepMetric& first, const std::map<size_t, SweepPoint>& measured);

// Figures of a sweep over two parameters.

std::string axis_text(const SweptParameter& parameter);  // "tracking.keep_s (s)"

// The first metric over both parameters, not random, on the tuning span and, where it was tested, on the test
// span, in shades of one range; the best of the tuning span is marked in both.
std::vector<HeatMap> sweep_heat_maps(const SweepPoints& points, const SweepMetric& metric,
                                     const std::map<size_t, SweepPoint>& measured, bool tested);

}  // namespace vantage
