// A person's positions, from all sightings of their path: the filter of motion_state.h run forwards and back.
// H. E. Rauch, F. Tung, C. T. Striebel, "Maximum likelihood estimates of linear dynamic systems", AIAA
// Journal 1965.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/tracking/paths/detail/path_windows.h"

namespace vantage::path_detail {

// Per node of the path its position in metres. A first node that carries a path of the window before begins
// as that one ended.
std::vector<std::array<double, 2>> smoothed_way(std::span<const int32_t> path, std::span<const Node> nodes,
                                                double frame_rate, const PathParameters& parameters);

}  // namespace vantage::path_detail
