// People followed over a whole recording at once: identities from the globally cheapest set of disjoint
// paths, in place of the frame-by-frame choice of core/tracking. It needs later frames to decide about
// earlier ones, so it works on the people found in a range of frames, not inside the chain.
//
// graph: nodes are detections. An arc joins two of them up to a gap of frames; its cost is in nats,
//
//   d^2 / (2 (jitter^2 + (wander * dt)^2)) + dh^2 / (2 height_jitter^2) + missed_cost * (frames between),
//
//   d the distance on the floor, dh the difference of heights. Where the people's colours were measured
//   (FloorPerson::colors), a term for them comes on top: over the parts of the body and the cameras that saw
//   both, each with its mean squared difference of Y', Cb and Cr, differences of Y' counting half,
//
//     min(color_cap, 1/2 * mean over parts of (difference / color_jitter)^2).
//
//   Somebody turns round and walks through shadow, so that it may never outweigh color_cap.
//   Where both have a measured velocity (FloorPerson::velocity_m_per_s), v and w, d is how far the later
//   place lies from where (v + w) / 2 leads in dt, motion_jitter stands in place of wander, and how much the
//   velocities disagree costs
//
//     min(motion_cap, |w - v|^2 / (2 (2 motion_jitter^2 + (wander * dt / 1 s)^2))).
//
//   motion_cap = 0 leaves motion out. Arcs that cost at least exit + entry are left out: ending and starting
//   again costs no more, so no optimum is lost. L. Zhang, Y. Li, R. Nevatia, CVPR 2008.
// grid: nodes are cells of the floor at every frame; J. Berclaz et al., PAMI 2011 (grid_paths.h). A cell with
// a detection
//   costs -log(p / (1 - p)), every other one missed_cost. A move by d in the time dt costs what a random walk
//   does that gets `wander` far in two seconds, d^2 / (wander^2 dt), wander^2 taken in m^2/s.
//
// motion: nodes are detections, and a path is followed by a Kalman filter of position and velocity, so that
// two
//   people who pass each other keep their ways, also where detections are few in a second. With d the
//   distance of a sighting from where the filter expects it, S its variance in both axes (place_jitter_m, and
//   acceleration_m_per_s2 since the sighting before), it costs
//
//     min(d^2 / (2 S), 12) + log(S / (4 place_jitter^2)) + missed_cost * (frames between),
//
//   and the n heights h of the whole path, of one true height, cost
//
//     sum (h - mean)^2 / (2 person_height_jitter^2) + 1/2 log n.
//
//   No flow has this optimum: the graph's paths are improved until no exchange helps (motion_search.h).
//   A path's positions are those of the filter, run forwards and back.
//
// Without entrances paths start and end anywhere, at the entry and exit cost. With some they do so only
// there, and anywhere in the first and the last frame (of a window). Who is found first away from every
// entrance came from one without being found: on the grid through cells at missed_cost; on the graph a start
// there costs what the fastest such way would, so both ask the same of a path. Longer gaps are then worth
// bridging; arcs of the graph still end at kLongestGap_s, which bounds their number.
//
// Whoever is there in the range's first frame was there before, and whoever is there in its last stays: these
// ends cost nothing, so that people are followed in a few frames, too. Who is found a little after the first
// or before the last may have been there all the same, at missed_cost for each frame between. A window's
// borders are no such ends but the first's begin and the last's end.
//
// p is the confidence of a person found, on the graph and the grid at least kLeastOfFound: there it is the
// share of a body's outline that masks show, and whoever is found by weak masks all the time is there all the
// same (performance/people.md has the shares). It is rejected_weight times the confidence for a peak that was
// rejected. Such a peak never pays, however sure: it makes nobody, but bridges a gap at little cost. Costs
// are quantised to thousandths of a nat.
//
// Found again: where the caller can find a frame's people once more (FindAgain), paths are followed twice.
// Paths of the first pass say where somebody is expected: at every frame between a path's first and its last
// sighting, never before or behind. The people found there with that knowledge are followed the second time.
// Expectations rest on sightings without any expectation alone, so that nobody is kept alive by having
// been expected; of what windows carry over, only on the last such sighting.
//
// With window_s the range is followed in windows that overlap; what lies before the overlap is settled and
// the next window continues the paths that reach it. A frame is settled at the latest when the frame window_s
// after it is there, and never before the one overlap_s after it: the latency of live input, which is always
// followed in windows (path_follower.h).
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

// Automatic: motion for people fused from detections, else graph; follow_paths() and PathFollower, which do
// not know where people come from, take it for graph.
enum class PathMethod : uint8_t { graph, grid, motion, automatic };

struct PathParameters {
  PathMethod method = PathMethod::automatic;
  double max_speed_m_per_s = 4;
  double missed_cost = 0.6;
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

// The position at which a path expects somebody.
struct ExpectedPlace {
  double x_m = 0, y_m = 0;
};
// Puts the people who are found with this knowledge in place of the frame's, or leaves the frame as it is.
// Called once for each window that the frame is in, frames ascending, the last time before it is settled.
using FindAgain = std::function<void(std::span<const ExpectedPlace> expected, SeenFrame* frame)>;

// Paths have a point for each of their frames; numbers count from 1, by first frame.
// Frames ascend; one that is missing says nothing, but no gap over kLongestGap_s. Errors: invalid_argument
// (frames out of order, a rate of 0), out_of_memory (a grid too large; says the figure and the remedy).
inline constexpr double kLongestGap_s = 2;
Result<std::vector<PersonPath>> follow_paths(std::span<const SeenFrame> frames, double frame_rate,
                                             const PathParameters& parameters,
                                             std::span<const FloorZone> entrances = {},
                                             FindAgain find_again = {});

}  // namespace vantage
