// The tracks of two tasks that saw the same frames (the overlap at a seam), told to be the same people.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/metrics/tracking_metrics.h"

namespace vantage {

// Two tracks are farther apart than this in no frame that counts for them.
inline constexpr double kJoin_m = 0.5;

// Pairs of IDs, of `before` and of `after`, each at most once: the assignment of whole tracks with the
// largest sum over all common frames of 1 - distance / kJoin_m, the distance that of the places on the floor
// and 1.5 times that of heights (as trackers weigh them, core/tracking/tracking.h). By ID of `before`.
std::vector<std::pair<int64_t, int64_t>> join_tracks(std::span<const TrackRow> before,
                                                     std::span<const TrackRow> after);

}  // namespace vantage
