// A project whose world is scaled, turned or moved: the cameras with all that is said in its coordinates.
#pragma once

#include <string>
#include <vector>

#include "core/geometry/world_change.h"
#include "core/project/project.h"

namespace vantage {

// Cameras, known coordinates of clicked points, measures on the floor, zones, lines, repairs, ground truth,
// boxes and the plan of the region. The region's height and voxel size are about people and stay; it keeps
// its axes, so that a turned one becomes the smallest that holds it. Zones and lines stay on the floor.
// Returns what moved, a sentence each.
std::vector<std::string> change_world(const WorldChange& change, Project* project);

}  // namespace vantage
