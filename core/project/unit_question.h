// Whether a calibration's unit is a metre, by how its cameras stand: asked before anything is made of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/geometry/camera.h"

namespace vantage {

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
