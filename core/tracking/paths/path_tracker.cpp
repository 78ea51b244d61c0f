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
  return quantised(rejected ? std::max(cost, kMinRejectedCost) : cost);
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
                                             std::span<const FloorZone> entrances, FindAgain find_again) {
  VANTAGE_ASSIGN(PathFollower follower,
                 PathFollower::make(frame_rate, parameters, {entrances.begin(), entrances.end()},
                                    std::move(find_again)));
  std::vector<PersonPath> paths;
  const auto take = [&](FinalPaths settled) {
    for (PersonPath& part : settled.parts) {
      if (part.id > static_cast<int64_t>(paths.size())) paths.push_back({part.id, {}});
      paths[static_cast<size_t>(part.id - 1)].points.append(part.points.begin(), part.points.end());
    }
  };
  for (const SeenFrame& frame : frames) {
    VANTAGE_ASSIGN(FinalPaths settled, follower.add(frame));
    take(std::move(settled));
  }
  VANTAGE_ASSIGN(FinalPaths rest, follower.finish());
  take(std::move(rest));
  return paths;
}

}  // namespace vantage
