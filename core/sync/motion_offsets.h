// Offsets from what moves, without a calibration: weak evidence of every pair, weighed together. Reasons:
// resources/docs/algorithms/synchronisation.md.
//
// Every pair's signals (ColorMotion, each line without its slow trend and divided by its own deviation) give
// a correlation for each lag, z = rho sqrt(frames) over its deviation. A lag is worth
//
//   l(z) = log of the mean over m = 0, 1.5, 3, 4.5 of exp(kCaution (m z - m^2 / 2))
//
// and all offsets together the sum over all pairs of l at the differences. The confidence of a camera's
// offset is the share of all sums exp(...) that lie within a frame of it; as much as all offsets would have
// with l = 0 is "nothing goes together"; what speaks against an offset counts kDoubt times. Sums are computed
// camera by camera; of the cameras so far the kKept likeliest ways to lie in time are kept.
#pragma once

#include <vector>

#include "core/sync/sync.h"

namespace vantage {

inline constexpr double kMotionTrend_s = 0.6;     // slower changes of a line do not count
inline constexpr double kMotionConfidence = 0.5;  // less: the camera abstains

// One signal a camera, all with as many lines, at one frame rate. `reach`: lags examined, frames each way.
// CameraAlignment::confidence as above, 0 to 1, also where a camera abstains; no drift and no changes.
// PairEstimate::score: the peak's share of the likelihood over the pair's own lags, which says little.
SyncEstimate estimate_from_motion(const std::vector<LineSignals>& signals, int reach,
                                  const EstimateOptions& options);

}  // namespace vantage
