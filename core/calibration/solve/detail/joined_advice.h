// What to record where boards do not link all cameras, in words.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/calibration/solve/detail/board_links.h"

namespace vantage {

// `links` has two groups of fixed cameras or more.
Error not_linked(const JoinedInput& input, const std::vector<PosedView>& views, const BoardLinks& links);

}  // namespace vantage
