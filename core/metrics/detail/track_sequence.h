// True and given tracks frame by frame, as every metric of theirs reads them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/base/assignment.h"
#include "core/metrics/set_distance.h"
#include "core/metrics/tracking_metrics.h"

namespace vantage::metrics_detail {

inline constexpr double kEpsilon = 1e-12;  // similarities equal to a threshold count as reaching it

// One frame with identities numbered from 0 and the similarity of every pair.
struct Frame {
  int64_t number = 0;
  std::vector<int> truth, given;
  std::vector<const TrackRow*> true_rows, given_rows;  // in the same order
  ScoreMatrix similarity{0, 0};
};

struct Sequence {
  std::vector<Frame> frames;
  int true_identities = 0, given_identities = 0;
  std::vector<int64_t> true_ids, given_ids;          // as the rows have them
  std::vector<int64_t> true_lengths, given_lengths;  // frames of each identity
};

// The rows outlive it. Errors: those of evaluate_tracks().
Result<Sequence> make_sequence(const std::vector<TrackRow>& truth, const std::vector<TrackRow>& given,
                               const EvaluationOptions& options);

// Intersection over union; 0 of boxes without an area.
double box_overlap(const TrackRow& a, const TrackRow& b);

// The similarity from which two are a pair.
double min_similarity(const EvaluationOptions& options);
SetDistanceOptions set_options(const EvaluationOptions& options);

std::vector<FloorPoint> floor_points(const std::vector<const TrackRow*>& rows);

// 0 where there is nothing to divide by.
inline double ratio(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0;
}

// Pairs of identities over a whole sequence: the assignments of the identity metrics and of HOTA (their
// conventions: core/metrics/tracking_metrics.h).

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
