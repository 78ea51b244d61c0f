// Greedy association as its definition says it: of all edges between those who have none yet, the cheapest,
// again and again.
#pragma once

#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

#include "core/tracking/association.h"

namespace vantage::reference {

inline std::vector<int32_t> associate(const AssociationProblem& problem) {
  using Edge = std::tuple<int32_t, double, size_t, size_t>;  // rank, distance, track, detection
  std::vector<int32_t> track_of(problem.detections.size(), -1);
  std::vector<bool> taken(problem.tracks.size());
  while (true) {
    std::optional<Edge> best;
    for (size_t t = 0; t < problem.tracks.size(); ++t)
      for (size_t d = 0; d < problem.detections.size(); ++d) {
        if (taken[t] || track_of[d] >= 0) continue;
        const ExpectedTrack& track = problem.tracks[t];
        const FloorDetection& seen = problem.detections[d];
        const double dx = seen.x_m - track.x_m, dy = seen.y_m - track.y_m;
        const double dz = problem.height_weight * (seen.height_m - track.height_m);
        const double distance_m = std::sqrt(dx * dx + dy * dy + dz * dz);
        const Edge edge{track.rank, distance_m, t, d};
        if (distance_m <= track.gate_m && (!best || edge < *best)) best = edge;
      }
    if (!best) return track_of;
    const auto [rank, distance_m, track, detection] = *best;
    taken[track] = true;
    track_of[detection] = static_cast<int32_t>(track);
  }
}

}  // namespace vantage::reference
