// What a sweep over two parameters looks like.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/display/heat_map.h"
#include "core/run/sweep_points.h"

namespace vantage {

std::string axis_text(const SweptParameter& parameter);  // "tracking.keep_s (s)"

// The first metric over both parameters, not random, on the tuning span and, where it was tested, on the test
// span, in shades of one range; the best of the tuning span is marked in both.
std::vector<HeatMap> sweep_heat_maps(const SweepPoints& points, const SweepMetric& metric,
                                     const std::map<size_t, SweepPoint>& measured, bool tested);

}  // namespace vantage
