// Who goes with whom over a whole sequence: the assignments of the identity metrics and of HOTA (their
// conventions: core/metrics/tracking_metrics.h).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/metrics/detail/track_sequence.h"

namespace vantage::metrics_detail {

// The one assignment of true to given identities with the most frames in common: for each true identity the
// given one, -1 where none.
std::vector<int> identity_pairs(const Sequence& sequence, double min_similarity);

// HOTA's matches of every frame, for each of its true rows the given one, -1 where none; at an alpha those
// count that are as similar.
std::vector<std::vector<int>> hota_matches(const Sequence& sequence);
inline double hota_alpha(int index) {
  return 0.05 * (index + 1);
}
inline bool reaches(double similarity, double alpha) {
  return similarity >= alpha - kEpsilon;
}

// Frames in which each pair of identities is matched, at each alpha.
using PairMatches = std::map<std::pair<int, int>, std::array<int64_t, HotaMetrics::kAlphas>>;
PairMatches count_pairs(const Sequence& sequence, const std::vector<std::vector<int>>& matches);
// A(c) of a pair that is matched in so many frames.
double pair_association(const Sequence& sequence, const std::pair<int, int>& pair, int64_t matched);

}  // namespace vantage::metrics_detail
