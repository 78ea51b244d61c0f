// Drift and dropped frames of each camera, from the paths of all pairs; private to core/sync.
//
// A camera that loses n frames makes the lag of every pair it is in jump by n at the same moment: jumps of
// all pairs near one moment are reconciled like offsets are, which says whose they are. Between jumps the
// pairs' lags, with their fractions, are measured and reconciled window by window; a line with one slope and
// one intercept for each stretch between jumps is fitted to each camera's offsets. A pair alone misses a loss
// of two or three frames; so each camera's most likely path beside what has been found is then sought over
// all of its pairs together, and what that adds is fitted once more.
#pragma once

#include <vector>

#include "core/sync/pair.h"

namespace vantage::sync_detail {

// `offsets`: whole recording, from the pairs' first blocks; refined here. Pairs whose `used` is false are
// left out.
void follow_alignment(const std::vector<PairAnalysis>& pairs, const EstimateOptions& options,
                      std::vector<CameraAlignment>* cameras);

}  // namespace vantage::sync_detail
