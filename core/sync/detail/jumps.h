// Instants at which cameras lose frames, and whose they are.
//
// A camera that loses n frames makes the lag of every pair it is in jump by n at the same instant: jumps of
// all pairs near one instant are reconciled like offsets are.
#pragma once

#include <vector>

#include "core/sync/detail/evidence.h"

namespace vantage::sync_detail {

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
