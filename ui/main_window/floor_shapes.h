// Zones and lines of a project by their names, which outlive what other edits on the way to the session do to
// their order.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "core/project/project.h"

namespace vantage::ui {

// "zone 2": not yet the name of a zone or a line.
std::string free_name(const Project& project, bool zone);
// Null: it is gone.
FloorZone* zone_named(Project& project, const std::string& name);
FloorLine* line_named(Project& project, const std::string& name);
// False for a line without length and a zone without area: nothing can be counted with them.
bool has_extent(bool zone, const std::vector<Eigen::Vector2d>& corners_m);

}  // namespace vantage::ui
