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

// A frame counts half of one that is this share of the overlap nearer to the seam.
inline constexpr double kHalvedAfter = 0.125;

// Pairs of IDs, of `before` and of `after`, each at most once: the assignment of whole tracks with the
// largest sum over all common frames of 1 - distance / kJoin_m, the distance that of the places on the floor
// and 1.5 times that of heights (as trackers weigh them, core/tracking/tracking.h). By ID of `before`.
// The overlap, frames [begin, end), begins at the seam. Frames count the less the farther they are from it:
// results come from the one task up to the seam and from the other behind it, so that it matters who is whom
// there, and trackers that know different pasts take people for each other at different times.
std::vector<std::pair<int64_t, int64_t>> join_tracks(std::span<const TrackRow> before,
                                                     std::span<const TrackRow> after, int64_t begin,
                                                     int64_t end);

}  // namespace vantage
