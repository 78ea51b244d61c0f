// How far each pair's evidence is to be believed, measured from the signals themselves.
//
// log L (pair.h) counts frames and lines for as independent as the whole curve says, and pairs for at least
// as correlated as its model goes down to. With foreground of real pictures a pair may be much less sure than
// that for a second or two: a person who stands, another who walks in step. Where the alignment is known, a
// lag off it gains G nats over a stretch of time, and a likelihood that is right has
//
//   mean of exp(G) = 1
//
// (the mean of a likelihood ratio under what it is divided by). So the pair's weight is the largest w up to 1
// with
//
//   mean of exp(kMargin w G) <= 1   over stretches of a second and all lags up to kLargestChange off it,
//
// the margin being for what a window's few stretches do not show.
#pragma once

#include <vector>

#include "core/sync/detail/evidence.h"

namespace vantage::sync_detail {

// Weights by pair; from the span's begin to `end`, away from the cameras' changes. 1 where nothing can be
// said.
std::vector<double> pair_weights(const AlignedPairs& pairs, const Evidence& evidence, double end);

}  // namespace vantage::sync_detail
