// Greedy association: tracks and detections joined along the cheapest edge, without a buffer of frames
// ("Boxer" report, section 3.3.6).
//
// An edge is a track and a detection inside its gate; its weight is the squared distance
// (association.h). Edges are taken in the order of rank, weight, track, detection, each unless its track
// or its detection has one already. Numbers that are none make no edge.
//
// In parallel the same pairs are a stable matching: tracks and detections prefer edges by one strict order,
// so exactly one matching is stable, and it is the greedy one. It may be found in any order of proposals: a
// track proposes to the detection of its cheapest edge that would accept, and a detection leaves its track
// for one whose edge comes before (D. McVitie, L. Wilson, "The Stable Marriage Problem", CACM 14(7), 1971).
// So CPU and CUDA agree on every input.
//
// Cost: tracks x detections weights of 9 operations; on the CPU sorting the edges, O(edges) memory; on CUDA
// a warp looks at all detections for each proposal, O(tracks + detections) memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/geometry/projection.h"
#include "core/image/backend/registry.h"

namespace vantage {

// Edges between tracks and detections: the arithmetic of association.h, shared by the CPU and the CUDA
// implementations, in double without fused operations, so that both decide alike on every input. Plain data
// and functions: .cu files include this header.

// A person found on the floor in one frame, as trackers see them.
struct FloorDetection {
  double x_m = 0, y_m = 0, height_m = 0;
};

// The expected position of a track.
struct ExpectedTrack {
  double x_m = 0, y_m = 0, height_m = 0;
  double gate_m = 0;  // it takes no detection farther away
  int32_t rank = 0;   // edges of a smaller rank go before all others
};

struct AssociationEdge {
  double weight_m2 = 0;
  int32_t rank = 0, track = -1, detection = -1;
};

namespace association {

// The squared distance, a metre of height counting for `height_weight` metres on the floor.
VANTAGE_HD double weight_m2(const ExpectedTrack& track, const FloorDetection& detection,
                            double height_weight) {
  const double dx = detection.x_m - track.x_m, dy = detection.y_m - track.y_m;
  const double dz = height_weight * (detection.height_m - track.height_m);
  return dx * dx + dy * dy + dz * dz;
}

// False for what is not a number, and for a negative gate.
VANTAGE_HD bool in_gate(const ExpectedTrack& track, double weight_m2) {
  return track.gate_m >= 0 && weight_m2 <= track.gate_m * track.gate_m;
}

// A strict order: no two edges of a frame are alike.
VANTAGE_HD bool comes_before(const AssociationEdge& a, const AssociationEdge& b) {
  if (a.rank != b.rank) return a.rank < b.rank;
  if (a.weight_m2 != b.weight_m2) return a.weight_m2 < b.weight_m2;
  return a.track != b.track ? a.track < b.track : a.detection < b.detection;
}

}  // namespace association

struct AssociationProblem {
  std::span<const ExpectedTrack> tracks;
  std::span<const FloorDetection> detections;
  double height_weight = 1;
};

// Per detection the index of its track, -1: none.
std::vector<int32_t> associate_greedily(const AssociationProblem& problem);

// Works from host memory to host memory on every device.
class TrackAssociation {
 public:
  static constexpr std::string_view kAlgorithm = "track association";
  struct Arguments {};
  virtual ~TrackAssociation() = default;
  // As associate_greedily(); `frame` labels the spans. Errors: invalid_argument (more than 2^30 tracks or
  // detections), out_of_memory, device_lost.
  virtual Result<std::vector<int32_t>> associate(const AssociationProblem& problem, int64_t frame) = 0;
};

}  // namespace vantage
