// The people of a run followed by one tracker and by another, to be looked at side by side, and measured
// against truth where there is some.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/parameters.h"
#include "core/metrics/tracking_metrics.h"
#include "core/project/results_reader.h"

namespace vantage {

// recorded: the numbers in the results; greedy: frame by frame; graph, grid: the globally cheapest paths.
enum class ComparedMethod : uint8_t { recorded, greedy, graph, grid };
inline constexpr std::array<ComparedMethod, 4> kComparedMethods = {
    ComparedMethod::recorded, ComparedMethod::greedy, ComparedMethod::graph, ComparedMethod::grid};
std::string_view compared_name(ComparedMethod method);  // "greedy"

// With the project's parameters of that tracker. Errors: those of follow_paths().
Result<std::vector<PersonPath>> follow_again(const StoredResults& results, ComparedMethod method,
                                             const ParameterStore& parameters);

// On the floor, only in frames that were analysed: truth of others is left out. Frames of `truth` count from
// 1, as in tracks.csv. Errors: those of evaluate_tracks().
inline constexpr double kComparedWithin_m = 0.5;
Result<TrackingMetrics> measure_paths(const std::vector<PersonPath>& paths, const StoredResults& results,
                                      const std::vector<TrackRow>& truth);

}  // namespace vantage
