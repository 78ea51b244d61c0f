// Clicked points, measures, zones, lines, rules, repairs, bookmarks and ground truth, as the project file has
// them.
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/project/project.h"

namespace vantage::project_detail {

// The project's keys "points", "measures", "zones", "lines", "rules", "repairs", "bookmarks" and "truth";
// each absent where there are none.
void write_floor(const Project& project, nlohmann::ordered_json* document);
// Errors name the position after `file`.
Status read_floor(const nlohmann::json& document, const std::string& file, Project* project);

}  // namespace vantage::project_detail
