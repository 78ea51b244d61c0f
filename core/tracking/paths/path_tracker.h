// People followed over a whole recording at once: identities from the globally cheapest set of disjoint
// paths, in place of the frame-by-frame choice of core/tracking. It works on the people found in a range of
// frames, not inside the chain. Costs, in nats (quantised to thousandths), of every method, and their
// reasons: resources/docs/algorithms/path-tracking.md.
//
//   graph   nodes are detections, arcs span gaps of up to kLongestGap_s; L. Zhang et al., CVPR 2008
//   grid    nodes are cells of the floor at every frame; J. Berclaz et al., PAMI 2011 (grid_paths.h)
//   motion  nodes are detections, a path follows a Kalman filter; improved by exchanges (motion_search.h)
//
// Without entrances paths start and end anywhere, at the entry and exit cost; with some only there, and
// anywhere in the first and the last frame (of a window). Being there in the range's first or last frame
// costs nothing. With FindAgain paths are followed twice, the second time with the people found where the
// first pass expects them. With window_s a frame is settled at the latest when the frame window_s after it is
// there, and never before the one overlap_s after it (path_follower.h). People who come back within return_s
// keep their IDs where colours were measured and are sure (detail/returns.h).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/parameters.h"
#include "core/base/result.h"
#include "core/geometry/floor_shapes.h"
#include "core/people/floor_person.h"

namespace vantage {

inline constexpr double kLeastOfFound = 0.6;

// Looks nearer to each other than this err alike: each counts as its share of this time, one that comes later
// in full. So a second says the same at every rate from 1 / kIndependent_s on.
inline constexpr double kIndependent_s = 0.25;

// Automatic: motion for people fused from detections, else graph; follow_paths() and PathFollower, which do
// not know where people come from, take it for graph.
enum class PathMethod : uint8_t { graph, grid, motion, automatic };

struct PathParameters {
  PathMethod method = PathMethod::automatic;
  double max_speed_m_per_s = 4;
  double missed_cost_per_s = 2.4;
  double entry_cost = 6;
  double rejected_weight = 0.8;
  double jitter_m = 0.1;
  double wander_m_per_s = 1.5;
  double height_jitter_m = 0.15;
  double color_jitter = 8;
  double color_cap = 3;
  double motion_jitter_m_per_s = 1;
  double motion_cap = 3;
  double place_jitter_m = 0.12;
  double acceleration_m_per_s2 = 1.5;
  double person_height_jitter_m = 0.09;
  double cell_m = 0.1;
  double window_s = 0;
  double overlap_s = 2;
  double return_s = 600;
  bool operator==(const PathParameters&) const = default;
};
template <>
const ParameterTable& parameter_table<PathParameters>();

// Live input has no whole range: where window_s is 0 it gets windows of kLiveWindow_s.
inline constexpr double kLiveWindow_s = 4;
PathParameters live_path_parameters(PathParameters parameters);

// The people of a frame; their own numbers are not used.
struct SeenFrame {
  int64_t frame = 0;
  std::vector<FloorPerson> people, rejected;
};

// The position at which a path expects a person.
struct ExpectedPlace {
  double x_m = 0, y_m = 0;
};
// Puts the people who are found with this knowledge in place of the frame's, or leaves the frame as it is.
// Called once for each window that the frame is in, frames ascending, the last time before it is settled.
using FindAgain = std::function<void(std::span<const ExpectedPlace> expected, SeenFrame* frame)>;

// A path that begins may be of a person who left: less probable ones are not listed.
inline constexpr double kMinReturn = 0.05;
struct PersonReturn {
  struct Place {
    int64_t frame = 0;
    double x_m = 0, y_m = 0;
  };
  int64_t left_id = 0, came_id = 0;  // equal: it is certain enough that the path continues under the ID
  Place left, came;                  // last position before, first one after it
  double probability = 0;
  bool joined() const { return left_id == came_id; }
};

// Paths have a point for each of their frames; numbers count from 1, by first frame.
// Frames ascend; one that is missing says nothing, but no gap over kLongestGap_s. Errors: invalid_argument
// (frames out of order, a rate of 0), out_of_memory (a grid too large; says the figure and the remedy).
// `returns`, unless null, gets those found, by the frame in which the person came.
inline constexpr double kLongestGap_s = 2;
Result<std::vector<PersonPath>> follow_paths(std::span<const SeenFrame> frames, double frame_rate,
                                             const PathParameters& parameters,
                                             std::span<const FloorZone> entrances = {},
                                             FindAgain find_again = {},
                                             std::vector<PersonReturn>* returns = nullptr);

}  // namespace vantage
