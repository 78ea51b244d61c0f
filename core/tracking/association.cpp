#include "core/tracking/association.h"

#include <algorithm>

#include "core/algorithms.h"

namespace vantage {
namespace {

std::vector<AssociationEdge> edges_of(const AssociationProblem& problem) {
  std::vector<AssociationEdge> edges;
  for (size_t t = 0; t < problem.tracks.size(); ++t) {
    const ExpectedTrack& track = problem.tracks[t];
    for (size_t d = 0; d < problem.detections.size(); ++d) {
      const double weight_m2 = association::weight_m2(track, problem.detections[d], problem.height_weight);
      if (association::in_gate(track, weight_m2))
        edges.push_back({weight_m2, track.rank, static_cast<int32_t>(t), static_cast<int32_t>(d)});
    }
  }
  return edges;
}

class TrackAssociationCpu final : public TrackAssociation {
 public:
  Result<std::vector<int32_t>> associate(const AssociationProblem& problem, int64_t) override {
    return associate_greedily(problem);
  }
};

}  // namespace

std::vector<int32_t> associate_greedily(const AssociationProblem& problem) {
  std::vector<AssociationEdge> edges = edges_of(problem);
  std::sort(edges.begin(), edges.end(), association::comes_before);
  std::vector<int32_t> track_of(problem.detections.size(), -1);
  std::vector<bool> taken(problem.tracks.size());
  for (const AssociationEdge& edge : edges) {
    const auto track = static_cast<size_t>(edge.track), detection = static_cast<size_t>(edge.detection);
    if (taken[track] || track_of[detection] >= 0) continue;
    taken[track] = true;
    track_of[detection] = edge.track;
  }
  return track_of;
}

void register_track_association_cpu(BackendRegistry& registry) {
  registry.add<TrackAssociation>(
      Device::cpu,
      [](const BackendContext&, const TrackAssociation::Arguments&)
          -> Result<std::unique_ptr<TrackAssociation>> { return std::make_unique<TrackAssociationCpu>(); });
}

}  // namespace vantage
