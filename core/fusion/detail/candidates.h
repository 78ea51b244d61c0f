// Hypotheses that a detection speaks for, and what the cameras say of each.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/fusion/detail/box_evidence.h"

namespace vantage::fusion_detail {

struct SeenBox {
  int32_t detection = 0;  // among the camera's
  Box box;
  double score = 0;
};

// A detection that may belong to a hypothesis.
struct Match {
  int32_t hypothesis = 0;
  int32_t seen = 0;  // among the camera's that are used
  BoxMatch match;
  int32_t candidate = -1;
};

// The same of a candidate.
struct Pair {
  int32_t seen = 0;
  BoxMatch match;
  double nats = 0;
};

// A hypothesis that a detection speaks for.
struct Candidate {
  int32_t hypothesis = 0;
  double x_m = 0, y_m = 0, height_m = 0;
  double base = 0;  // cost, height and expectation
};

// The evidence of one camera about one candidate.
struct View {
  int32_t pairs_begin = 0, pairs_end = 0;
  uint32_t inside = 0, covered = 0;  // points of the box
  double nothing = 0;                // nats of no detection
};

inline double distance_m(const Candidate& a, const Candidate& b) {
  const double dx = a.x_m - b.x_m, dy = a.y_m - b.y_m;
  return std::sqrt(dx * dx + dy * dy);
}

}  // namespace vantage::fusion_detail
