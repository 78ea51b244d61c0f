// One window of a range, as the methods of path_tracker.h see it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/tracking/paths/motion_state.h"
#include "core/tracking/paths/path_tracker.h"

namespace vantage::path_detail {

// A detection of a window; the people of one frame stand together, frames ascend.
struct Node {
  FloorPerson person;
  int64_t frame = 0;
  int32_t number = -1;  // among the frame's people; -1: a rejected peak
  int64_t look = 0;     // how many frames were examined before its own
  // The path from the window before whose last settled point this is: it starts there for nothing and must be
  // continued or ended. -1: of this window.
  int32_t carries = -1;
  // State of that path, up to this point.
  MotionState motion = {};
  HeightSums heights = {};
};

// Cost in thousandths of a nat.
int64_t quantised(double nats);
int64_t detection_cost(const Node& node, const PathParameters& parameters);
// A cost low enough that every path from the window before is taken up.
inline constexpr int64_t kCarriedCost = -100'000;

struct Problem {
  std::span<const Node> nodes;      // by frame
  std::span<const int64_t> looked;  // frames that were examined, ascending, from the first node's on
  double frame_rate = 0;
  const PathParameters& parameters;
  std::span<const FloorZone> entrances;
  // Where the range is cut, as far as it is in the window: its first frame, and the one after its last.
  // Anyone who is there in the first was there before, and anyone who is there in the last stays: neither
  // costs anything.
  std::optional<int64_t> begin, end;

  // How many frames from `begin` on and before `end` were examined: each costs anyone who is not found in it.
  int64_t looks(int64_t begin, int64_t end) const;
};

// The costs to start and to end at each node, in nats.
struct Ends {
  std::vector<double> entry, exit;
};
Ends ends_of(const Problem& problem);
// Frames from one sighting of a path to the next, at most.
int64_t longest_gap(const Problem& problem);

// Each path: numbers of its nodes, in order of frames.
using NodePaths = std::vector<std::vector<int32_t>>;
Result<NodePaths> paths_on_graph(const Problem& problem);
Result<NodePaths> paths_on_grid(const Problem& problem);
Result<NodePaths> paths_by_motion(const Problem& problem);

}  // namespace vantage::path_detail
