// The offset of each camera at the end of a recording, by its last seconds.
//
// The alignment is fitted to whole stretches, so a change shows in it a second or two late, and its size is
// settled later still. Here one change of each camera at most is searched for, of any size and at any instant
// of the last options().latest_s seconds, against what the alignment says before them:
//
//   score(n) = max over tau of  sum over m >= tau, pairs p of  w_p (log L_p(m, n) - log L_p(m, 0))
//
// with each pair's weight w_p as the seconds before say (evidence.h). A camera that loses n frames has
// none to compare for as long: log L_p(m, n) is 0 there, as for signals that are independent. The probability
// of n is its share of exp(score(n) - cost), the cost as Evidence has it for a change, and more for long
// ones. What one camera lost disturbs the pairs of all others: the change with the most evidence is believed
// first, and the rest is searched for in addition to it.
#pragma once

#include <vector>

#include "core/sync/detail/evidence.h"

namespace vantage::sync_detail {

// Sets `latest` of every camera that has an offset. `cameras` are those of `pairs`, and `evidence` has looked
// at the whole recording.
void find_latest_offsets(const AlignedPairs& pairs, const Evidence& evidence,
                         std::vector<CameraAlignment>* cameras);

}  // namespace vantage::sync_detail
