// All pairs together: pair (i, j) gives o_j - o_i, and round every cycle of cameras the differences must add
// up to nothing. Least absolute residuals by iteratively reweighted least squares (as E. Schlossmacher 1973),
// which one wrong pair in a cycle of three good ones cannot move; then least squares over the pairs that
// agree.
#pragma once

#include <optional>
#include <vector>

#include "core/sync/detail/evidence.h"

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

namespace vantage::sync_detail {

// Instants at which cameras lose frames, and whose they are.
//
// A camera that loses n frames makes the lag of every pair it is in jump by n at the same instant: jumps of
// all pairs near one instant are reconciled like offsets are.

inline constexpr double kJumpCluster_s = 1.5;  // pairs see one camera's jump within this
inline constexpr int kMinJump = 2;             // frames; a step of one is drift's

struct Jump {
  double base_frame = 0;
  std::vector<double> frames;  // by camera, with the base's at 0
};

// Jumps that the pairs' own paths show, in the order of time.
std::vector<Jump> find_jumps(const AlignedPairs& pairs);
// Jumps that a camera's pairs show together in addition to the alignment.
std::vector<Jump> jumps_beside(const AlignedPairs& pairs, const Evidence& evidence);
// `more` and the cameras' own changes, in the order of time.
std::vector<Jump> join_jumps(const AlignedPairs& pairs, std::vector<Jump> more);

}  // namespace vantage::sync_detail
