// Where a person stands: mean and spread over the hypotheses nearby, while the others stand where they do.
#pragma once

#include "core/fusion/detail/crowd.h"

namespace vantage::fusion_detail {

// Position, height and their uncertainty; the rest of the result is left as it is made. Thread-safe.
FusedPerson posterior(const Candidates& candidates, const Crowd& crowd, size_t person);

}  // namespace vantage::fusion_detail
