// One window of a range, as the two methods of path_tracker.h see it. Private to core/path_tracking.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/path_tracking/path_tracker.h"

namespace vantage::path_detail {

// A detection of a window; the people of one frame stand together, frames ascend.
struct Node {
  FloorPerson person;
  int64_t frame = 0;
  int32_t number = -1;  // among the frame's people; -1: a rejected peak
  // The path from the window before whose last settled point this is: it starts there for nothing and must be
  // continued or ended. -1: of this window.
  int32_t carries = -1;
};

// Cost in thousandths of a nat.
int64_t quantised(double nats);
int64_t detection_cost(const Node& node, const PathParameters& parameters);
// A cost low enough that every path from the window before is taken up.
inline constexpr int64_t kCarriedCost = -100'000;

// Each path: numbers of its nodes, in order of frames.
using NodePaths = std::vector<std::vector<int32_t>>;
Result<NodePaths> paths_on_graph(std::span<const Node> nodes, double frame_rate,
                                 const PathParameters& parameters, std::span<const FloorZone> entrances);
Result<NodePaths> paths_on_grid(std::span<const Node> nodes, double frame_rate,
                                const PathParameters& parameters, std::span<const FloorZone> entrances);

}  // namespace vantage::path_detail
