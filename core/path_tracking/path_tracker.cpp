#include "core/path_tracking/path_tracker.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/path_tracking/path_follower.h"
#include "core/path_tracking/path_windows.h"

namespace vantage {
namespace path_detail {
namespace {

constexpr double kLeastRejectedCost = 0.05;  // nats

}  // namespace

int64_t quantised(double nats) {
  return std::llround(1000 * nats);
}

int64_t detection_cost(const Node& node, const PathParameters& parameters) {
  if (node.carries >= 0) return kCarriedCost;
  const bool rejected = node.number < 0;
  const double weight = rejected ? parameters.rejected_weight : 1;
  const double p = std::clamp(weight * node.person.confidence, 0.01, 0.99);
  const double cost = -std::log(p / (1 - p));
  return quantised(rejected ? std::max(cost, kLeastRejectedCost) : cost);
}

int64_t Problem::looks(int64_t begin, int64_t end) const {
  return std::lower_bound(looked.begin(), looked.end(), end) -
         std::lower_bound(looked.begin(), looked.end(), begin);
}

}  // namespace path_detail

PathParameters live_path_parameters(PathParameters parameters) {
  if (parameters.window_s == 0) parameters.window_s = kLiveWindow_s;
  return parameters;
}

Result<std::vector<PersonPath>> follow_paths(std::span<const SeenFrame> frames, double frame_rate,
                                             const PathParameters& parameters,
                                             std::span<const FloorZone> entrances) {
  VANTAGE_ASSIGN(PathFollower follower,
                 PathFollower::make(frame_rate, parameters, {entrances.begin(), entrances.end()}));
  std::vector<PersonPath> paths;
  const auto take = [&](SettledPaths settled) {
    for (PersonPath& part : settled.parts) {
      if (part.id > static_cast<int64_t>(paths.size())) paths.push_back({part.id, {}});
      std::vector<PathPoint>& points = paths[static_cast<size_t>(part.id - 1)].points;
      points.insert(points.end(), part.points.begin(), part.points.end());
    }
  };
  for (const SeenFrame& frame : frames) {
    VANTAGE_ASSIGN(SettledPaths settled, follower.add(frame));
    take(std::move(settled));
  }
  VANTAGE_ASSIGN(SettledPaths rest, follower.finish());
  take(std::move(rest));
  return paths;
}

template <>
const ParameterTable& parameter_table<PathParameters>() {
  using P = PathParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "paths", "Paths",
      {choice<&P::method>({.name = "method",
                           .display_name = "Method",
                           .unit = "",
                           .help =
                               "graph joins detections; grid runs through every cell of the floor; motion "
                               "joins detections by how each person moves and how tall they are; "
                               "automatic: motion where people come from detections, else graph",
                           .choices = {"graph", "grid", "motion", "automatic"}}),
       real<&P::entry_cost>({.name = "entry_cost",
                             .display_name = "Cost of appearing",
                             .unit = "nats",
                             .help = "What a path pays where it starts, and again where it ends",
                             .minimum = 0.5,
                             .maximum = 100}),
       real<&P::missed_cost>({.name = "missed_cost",
                              .display_name = "Cost of a missed frame",
                              .unit = "nats",
                              .help = "What a path pays for each frame in which nobody was found there",
                              .minimum = 0.05,
                              .maximum = 20}),
       real<&P::max_speed_m_per_s>({.name = "max_speed_m_per_s",
                                    .display_name = "Highest speed",
                                    .unit = "m/s",
                                    .help = "Nobody moves faster",
                                    .minimum = 0.5,
                                    .maximum = 12,
                                    .level = ParameterLevel::expert}),
       real<&P::rejected_weight>(
           {.name = "rejected_weight",
            .display_name = "Weight of rejected peaks",
            .unit = "",
            .help = "How much of its confidence a rejected peak keeps; it may bridge a gap",
            .minimum = 0,
            .maximum = 1,
            .level = ParameterLevel::expert}),
       real<&P::jitter_m>({.name = "jitter_m",
                           .display_name = "Jitter",
                           .unit = "m",
                           .help = "Standard deviation of a place on the floor",
                           .minimum = 0.01,
                           .maximum = 1,
                           .level = ParameterLevel::expert}),
       real<&P::wander_m_per_s>({.name = "wander_m_per_s",
                                 .display_name = "Usual speed",
                                 .unit = "m/s",
                                 .help = "Standard deviation of the speed",
                                 .minimum = 0.1,
                                 .maximum = 10,
                                 .level = ParameterLevel::expert}),
       real<&P::height_jitter_m>({.name = "height_jitter_m",
                                  .display_name = "Jitter of heights",
                                  .unit = "m",
                                  .help = "Standard deviation of a height",
                                  .minimum = 0.01,
                                  .maximum = 2,
                                  .level = ParameterLevel::expert}),
       real<&P::color_jitter>(
           {.name = "color_jitter",
            .display_name = "Jitter of colours",
            .unit = "",
            .help = "Standard deviation of a mean colour, of 255, where colours were measured",
            .minimum = 0.5,
            .maximum = 100,
            .level = ParameterLevel::expert}),
       real<&P::color_cap>({.name = "color_cap",
                            .display_name = "Most that colours say",
                            .unit = "nats",
                            .help = "The most that other colours cost; 0 leaves colours out",
                            .minimum = 0,
                            .maximum = 50,
                            .level = ParameterLevel::expert}),
       real<&P::motion_jitter_m_per_s>(
           {.name = "motion_jitter_m_per_s",
            .display_name = "Jitter of velocities",
            .unit = "m/s",
            .help = "Standard deviation of a velocity, where motion was measured (flow.enabled)",
            .minimum = 0.02,
            .maximum = 5,
            .level = ParameterLevel::expert}),
       real<&P::motion_cap>({.name = "motion_cap",
                             .display_name = "Most that velocities say",
                             .unit = "nats",
                             .help = "The most that other velocities cost; 0 leaves motion out",
                             .minimum = 0,
                             .maximum = 50,
                             .level = ParameterLevel::expert}),
       real<&P::place_jitter_m>({.name = "place_jitter_m",
                                 .display_name = "Jitter of places",
                                 .unit = "m",
                                 .help = "Standard deviation of a place, with the method motion",
                                 .minimum = 0.01,
                                 .maximum = 1,
                                 .level = ParameterLevel::expert}),
       real<&P::acceleration_m_per_s2>(
           {.name = "acceleration_m_per_s2",
            .display_name = "Usual acceleration",
            .unit = "m/s2",
            .help = "Standard deviation of the acceleration, with the method motion",
            .minimum = 0.05,
            .maximum = 20,
            .level = ParameterLevel::expert}),
       real<&P::person_height_jitter_m>(
           {.name = "person_height_jitter_m",
            .display_name = "Jitter of a person's heights",
            .unit = "m",
            .help = "Standard deviation of the heights of one person, with the method motion",
            .minimum = 0.01,
            .maximum = 2,
            .level = ParameterLevel::expert}),
       real<&P::cell_m>({.name = "cell_m",
                         .display_name = "Cell",
                         .unit = "m",
                         .help = "Side of a cell of the grid",
                         .minimum = 0.02,
                         .maximum = 1,
                         .level = ParameterLevel::expert}),
       real<&P::window_s>(
           {.name = "window_s",
            .display_name = "Window",
            .unit = "s",
            .help = "Follow in windows of this length: the latency. 0 takes the whole range at once, "
                    "of live cameras 4 s",
            .minimum = 0,
            .maximum = 3600,
            .level = ParameterLevel::expert}),
       real<&P::overlap_s>({.name = "overlap_s",
                            .display_name = "Overlap",
                            .unit = "s",
                            .help = "Part of a window that the next one decides again, at most half of it",
                            .minimum = 0,
                            .maximum = 600,
                            .level = ParameterLevel::expert})});
  return table;
}

}  // namespace vantage
