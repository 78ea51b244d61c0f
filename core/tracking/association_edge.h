// Edges between tracks and detections: the arithmetic of association.h, shared by the CPU and the CUDA
// implementations, in double without fused operations, so that both decide alike on every input. Plain data
// and functions: .cu files include this header.
#pragma once

#include <cstdint>

#include "core/geometry/projection.h"

namespace vantage {

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
}  // namespace vantage
