// Greedy association: tracks and detections joined along the cheapest edge, without a buffer of frames
// ("Boxer" report, section 3.3.6).
//
// An edge is a track and a detection inside its gate; its weight is the squared distance
// (association_edge.h). Edges are taken in the order of rank, weight, track, detection, each unless its track
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

#include "core/image/backend/registry.h"
#include "core/tracking/association_edge.h"

namespace vantage {

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
