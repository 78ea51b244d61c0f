#include "core/tracking/paths/path_tracker.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/tracking/paths/detail/path_windows.h"
#include "core/tracking/paths/path_follower.h"

namespace vantage {

namespace path_detail {
namespace {

constexpr double kMinRejectedCost = 0.05;  // nats

}  // namespace

int64_t quantised(double nats) {
  return std::llround(1000 * nats);
}

int64_t detection_cost(const Node& node, const PathParameters& parameters) {
  if (node.carries >= 0) return kCarriedCost;
  const bool rejected = node.number < 0;
  const double weight = rejected ? parameters.rejected_weight : 1;
  // With motion people come from detections, whose confidence is a probability already.
  const double least = rejected || parameters.method == PathMethod::motion ? 0.01 : kLeastOfFound;
  const double p = std::clamp(weight * node.person.confidence, least, 0.99);
  const double cost = -std::log(p / (1 - p));
  return quantised(node.look.weight * (rejected ? std::max(cost, kMinRejectedCost) : cost));
}

double looked_s(std::span<const Look> looked, int64_t frame) {
  if (looked.empty()) return 0;
  const auto next = std::ranges::lower_bound(looked, frame, {}, &Look::frame);
  return next != looked.end() ? next->before_s : looked.back().before_s + looked.back().counts_s();
}

double Problem::missed_cost(int64_t begin, int64_t end) const {
  return parameters.missed_cost_per_s * (looked_s(looked, end) - looked_s(looked, begin));
}

}  // namespace path_detail

PathParameters live_path_parameters(PathParameters parameters) {
  if (parameters.window_s == 0) parameters.window_s = kLiveWindow_s;
  return parameters;
}

Result<std::vector<PersonPath>> follow_paths(std::span<const SeenFrame> frames, double frame_rate,
                                             const PathParameters& parameters,
                                             std::span<const FloorZone> entrances, FindAgain find_again,
                                             std::vector<PersonReturn>* returns) {
  VANTAGE_ASSIGN(PathFollower follower,
                 PathFollower::make(frame_rate, parameters, {entrances.begin(), entrances.end()},
                                    std::move(find_again)));
  std::vector<PersonPath> paths;
  const auto take = [&](FinalPaths settled) {
    for (PersonPath& part : settled.parts) {
      if (part.id > static_cast<int64_t>(paths.size())) paths.push_back({part.id, {}});
      paths[part.id - 1].points.append(part.points.begin(), part.points.end());
    }
    if (returns) returns->insert(returns->end(), settled.returns.begin(), settled.returns.end());
  };
  for (const SeenFrame& frame : frames) {
    VANTAGE_ASSIGN(FinalPaths settled, follower.add(frame));
    take(std::move(settled));
  }
  VANTAGE_ASSIGN(FinalPaths rest, follower.finish());
  take(std::move(rest));
  return paths;
}

template <>
const ParameterTable& parameter_table<PathParameters>() {
  using P = PathParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "paths", "Paths",
      {
          choice<&P::method>("Method", {"graph", "grid", "motion", "automatic"},
                             "graph joins detections; grid runs through every cell of the floor; motion "
                             "joins detections by how each person moves and how tall they are; automatic: "
                             "motion where people come from detections, else graph."),
          real<&P::entry_cost>("Cost of appearing", "nats", 0.5, 100,
                               "What a path pays where it starts, and again where it ends."),
          real<&P::missed_cost_per_s>(
              "Cost of a missed second", "nats/s", 0.2, 80,
              "What a path pays for each second of frames in which no one was found there; a frame counts as "
              "the time since the frame before, at most 0.25 s."),
          real<&P::max_speed_m_per_s>("Maximum speed", "m/s", 0.5, 12, "No one moves faster.", expert),
          real<&P::rejected_weight>(
              "Weight of rejected peaks", "", 0, 1,
              "Share of its confidence that a rejected peak keeps; it may bridge a gap.", expert),
          real<&P::jitter_m>("Position jitter", "m", 0.01, 1,
                             "Standard deviation of a position on the floor.", expert),
          real<&P::wander_m_per_s>("Usual speed", "m/s", 0.1, 10, "Standard deviation of the speed.", expert),
          real<&P::height_jitter_m>("Height jitter", "m", 0.01, 2, "Standard deviation of a height.", expert),
          real<&P::color_jitter>("Colour jitter", "", 0.5, 100,
                                 "Standard deviation of a mean colour, of 255, where colours were measured.",
                                 expert),
          real<&P::color_cap>("Maximum colour cost", "nats", 0, 50,
                              "Limit of what different colours cost; 0 leaves colours out.", expert),
          real<&P::motion_jitter_m_per_s>(
              "Velocity jitter", "m/s", 0.02, 5,
              "Standard deviation of a velocity, where motion was measured (flow.enabled).", expert),
          real<&P::motion_cap>("Maximum velocity cost", "nats", 0, 50,
                               "Limit of what different velocities cost; 0 leaves motion out.", expert),
          real<&P::place_jitter_m>("Position jitter of motion", "m", 0.01, 1,
                                   "Standard deviation of a position, with the method motion.", expert),
          real<&P::acceleration_m_per_s2>("Usual acceleration", "m/s²", 0.05, 20,
                                          "Standard deviation of the acceleration, with the method motion.",
                                          expert),
          real<&P::person_height_jitter_m>(
              "Height jitter of a person", "m", 0.01, 2,
              "Standard deviation of the heights of one person, with the method motion.", expert),
          real<&P::cell_m>("Cell size", "m", 0.02, 1, "Side of a cell, with the method grid.", expert),
          real<&P::window_s>("Window", "s", 0, 3600,
                             "Paths are tracked in windows of this length: the latency. 0 takes the whole "
                             "range at once, of live cameras 4 s.",
                             expert),
          real<&P::overlap_s>("Overlap", "s", 0, 600,
                              "Part of a window that the next one decides again, at most half of it.",
                              expert),
          real<&P::return_s>("Longest absence", "s", 0, 86400,
                             "Anyone who comes back within this time keeps the ID, where pictures show by "
                             "clothes and height that it is the same person. 0: never.",
                             expert),
      });
  return table;
}

}  // namespace vantage
