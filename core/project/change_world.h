// A project whose world is scaled, turned or moved: the cameras with all that is said in its coordinates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/geometry/camera.h"
#include "core/project/project.h"

namespace vantage {

// Cameras, known coordinates of clicked points, measures on the floor, zones, lines, repairs, ground truth,
// boxes and the plan of the region. The region's height and voxel size are about people and stay; it keeps
// its axes, so that a turned one becomes the smallest that holds it. Zones and lines stay on the floor.
// Returns what moved, a sentence each.
std::vector<std::string> change_world(const WorldChange& change, Project* project);

// Whether a calibration's unit is a metre, by how its cameras stand: asked before anything is made of it.

struct UnitQuestion {
  std::string what;         // the cameras' places read as metres, centimetres and millimetres
  double likely_m = 0;      // of the file's units, the most likely; 0: none is likely
  std::string likely_name;  // "millimetres"
};

// How at least one camera stands, in each of the units.
UnitQuestion read_in_units(const std::vector<Camera>& cameras, double unit_m);

// Asks about the unit of one calibration that does not state it; `cameras` are placed with `unit_m` metres
// per unit (as the file was read). Nothing where they are placed as in a room, a hall or a stadium.
std::optional<UnitQuestion> question_of_unit(const std::vector<Camera>& cameras, double unit_m);

}  // namespace vantage
