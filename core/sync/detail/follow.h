// Drift and dropped frames of each camera, from the paths of all pairs.
//
// A camera that loses n frames makes the lag of every pair it is in jump by n at the same instant: jumps of
// all pairs near one instant are reconciled like offsets are, which says whose they are. Between jumps the
// pairs' lags, with their fractions, are measured and reconciled window by window; a line with one slope and
// one step for each jump is fitted to each camera's offsets. A pair alone misses a loss of two or three
// frames; so each camera's most likely path in addition to what has been found is then searched over all of
// its pairs together, and what that adds is fitted once more.
//
// Which steps, and whether a slope, is decided by the evidence: log L (pair.h) of all blocks of the camera's
// pairs along the alignment, less a cost for each step and for the slope. Lost frames look like drift at
// first and drift like lost frames, so the search starts from both. In the end every pair that agrees is
// measured along the alignment instead of along its own path, which is off by a frame here and there.
#pragma once

#include <vector>

#include "core/sync/detail/pair.h"

namespace vantage::sync_detail {

// `offsets`: whole recording, from the pairs' first blocks; refined here. Pairs whose `used` is false are
// left out.
void follow_alignment(const std::vector<PairAnalysis>& pairs, const EstimateOptions& options,
                      std::vector<CameraAlignment>* cameras);

}  // namespace vantage::sync_detail
