// JSON of clicked points, measures, zones, lines, rules, repairs, bookmarks and ground truth, as in project
// files.
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/project/project.h"

namespace vantage::project_detail {

// The project's keys "points", "measures", "zones", "lines", "rules", "repairs", "bookmarks" and "truth";
// empty ones are absent.
void write_floor(const Project& project, nlohmann::ordered_json* document);
// Errors state the position after `file`.
Status read_floor(const nlohmann::json& document, const std::string& file, Project* project);

}  // namespace vantage::project_detail
