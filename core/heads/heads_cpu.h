// Head detection on the CPU: oneTBB over strips and tiles, the loops in vector code (head_rows.h).
#pragma once

#include <vector>

#include "core/heads/head_planes.h"
#include "core/heads/heads.h"

namespace vantage {

// The windows of the search whose score is at least `accept_from`, in the order of their keys.
std::vector<HeadHit> find_head_windows(const HeadPlanes& planes, const HeadSearch& search,
                                       const HeadModel& model, int32_t accept_from);

}  // namespace vantage
