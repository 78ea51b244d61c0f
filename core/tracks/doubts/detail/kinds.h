// The doubts of each kind, unsorted.
#pragma once

#include <vector>

#include "core/tracks/doubts/doubts.h"

namespace vantage::doubt_detail {

std::vector<Doubt> passages(const TrackIndex& tracks, double least);
std::vector<Doubt> gaps_and_restarts(const TrackIndex& tracks, int64_t known_to, double least);

}  // namespace vantage::doubt_detail
