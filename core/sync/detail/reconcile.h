// All pairs together: pair (i, j) gives o_j - o_i, and round every cycle of cameras the differences must add
// up to nothing. Least absolute residuals by iteratively reweighted least squares (as E. Schlossmacher 1973),
// which one wrong pair in a cycle of three good ones cannot move; then least squares over the pairs that
// agree.
#pragma once

#include <optional>
#include <vector>

namespace vantage {

struct OffsetEdge {
  int first = 0, second = 0;
  double difference = 0;  // o_second - o_first
  double sigma = 1;       // > 0
  double residual = 0;    // out: difference - (o_second - o_first)
  bool used = false;      // out: agrees
};

struct ReconciledOffset {
  double value = 0;
  double sigma = 0;
};

// Empty for cameras that no chain of used edges joins to the base, whose offset is 0. An edge further than
// `tolerance` and four sigma from the others' solution is not used.
std::vector<std::optional<ReconciledOffset>> reconcile_offsets(int cameras, int base,
                                                               std::vector<OffsetEdge>* edges,
                                                               double tolerance = 1.0);

}  // namespace vantage
