// Scales, turns or moves a project's world: the cameras with everything in its coordinates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/geometry/camera.h"
#include "core/project/project.h"

namespace vantage {

// Changes cameras, known coordinates of clicked points, measures on the floor, zones, lines, repairs, ground
// truth, boxes and the plan of the region. The region's height and voxel size concern people and stay. The
// region keeps its axes, so a turned one becomes the smallest that contains it. Zones and lines stay on the
// floor. Returns a sentence for each thing that moved.
std::vector<std::string> change_world(const WorldChange& change, Project* project);

// Checks that a calibration's unit is a metre, by the positions of its cameras, before it is used.

struct UnitQuestion {
  std::string what;         // the cameras' positions read as metres, centimetres and millimetres
  double likely_m = 0;      // metres per unit of the file, the most likely; 0: none is likely
  std::string likely_name;  // "millimetres"
};

// Positions of at least one camera, read in each of the units.
UnitQuestion read_in_units(const std::vector<Camera>& cameras, double unit_m);

// Asks about the unit of one calibration that does not state it; `cameras`: read with `unit_m` metres per
// unit. Nothing where their positions are usual for a room, a hall or a stadium.
std::optional<UnitQuestion> question_of_unit(const std::vector<Camera>& cameras, double unit_m);

}  // namespace vantage
