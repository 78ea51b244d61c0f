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
  Look look = {};       // in which it was found
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

// The sum of counts_s() of the looks before the frame.
double looked_s(std::span<const Look> looked, int64_t frame);

struct Problem {
  std::span<const Node> nodes;   // by frame
  std::span<const Look> looked;  // ascending, from the first node's frame on
  double frame_rate = 0;
  const PathParameters& parameters;
  std::span<const FloorZone> entrances;
  // Where the range is cut, as far as it is in the window: its first frame, and the one after its last.
  // Anyone who is there in the first was there before, and anyone who is there in the last stays: neither
  // costs anything.
  std::optional<int64_t> begin, end;

  // What it costs not to be found in any look from `begin` on and before `end`.
  double missed_cost(int64_t begin, int64_t end) const;
};

// The costs to start and to end at each node, in nats.
struct Ends {
  std::vector<double> entry, exit;
};
Ends ends_of(const Problem& problem);
// Maximum number of frames from one sighting of a path to the next; 0: frames are too far apart for paths.
int64_t longest_gap(double frame_rate, const PathParameters& parameters);
// What it costs not to be found between two sightings.
double missed_cost(const Node& from, const Node& to, const PathParameters& parameters);
// How far a person is found from where they were found dt_s before, at most.
double reach_m(double dt_s, double jitter_m, const PathParameters& parameters);

// Each path: numbers of its nodes, in order of frames.
using NodePaths = std::vector<std::vector<int32_t>>;
Result<NodePaths> paths_on_graph(const Problem& problem);
Result<NodePaths> paths_on_grid(const Problem& problem);
Result<NodePaths> paths_by_motion(const Problem& problem);

}  // namespace vantage::path_detail
