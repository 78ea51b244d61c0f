// Which endings and beginnings of tracks are the same person's, all of them decided together.
//
// An assignment matches each ending with at most one beginning, and the reverse; its weight is the product of
// its matches' odds, against none at all. The probability of a match is the weight of the assignments that
// have it, out of all.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace vantage::path_detail {

struct Match {
  size_t end = 0, start = 0;
  double odds = 0;  // 0 or more, against neither of the two being matched
};

// One per match, in order; each pair at most once. Odds below kMinOdds count as 0. Exact where at most
// kMaxExact ends, or starts, hang together by others; else a lower bound, w / (w + (1 + e) (1 + s)), with e
// and s the sums of the other odds of that end and start.
inline constexpr double kMinOdds = 1e-5;
inline constexpr size_t kMaxExact = 12;
std::vector<double> match_probabilities(std::span<const Match> matches);

}  // namespace vantage::path_detail
