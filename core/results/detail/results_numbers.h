// People of results files as trackers see them, and the numbers they get.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/path_tracking/path_tracker.h"
#include "core/pipeline/frame_result.h"

namespace vantage::project_detail {

// By frame and place among its people.
using Numbers = std::map<std::pair<int64_t, int32_t>, int64_t>;
Numbers numbers_of(const std::vector<PersonPath>& paths);

// A row of tracks.csv, with its newline.
std::string path_row(int64_t id, const PathPoint& point);

}  // namespace vantage::project_detail
