// Answers of many paths as one.
#pragma once

#include <vector>

#include "core/tracks/find/track_index.h"

namespace vantage {

// All parts by first frame, then by person.
std::vector<FoundMoment> joined(const std::vector<std::vector<FoundMoment>>& parts);

}  // namespace vantage
