// Zones and lines that people draw on the floor.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace vantage {

// A polygon; its border does not cross itself. Convex or not, either way around.
struct FloorZone {
  std::string name;
  std::vector<Eigen::Vector2d> corners_m;  // at least three
  bool operator==(const FloorZone&) const = default;
};

struct FloorLine {
  std::string name;
  Eigen::Vector2d from_m = {0, 0}, to_m = {0, 0};
  bool operator==(const FloorLine&) const = default;
};

// Distance from the zone's border: positive inside, negative outside.
double distance_inside_m(const FloorZone& zone, const Eigen::Vector2d& place_m);

// Distance from the straight line through both ends: positive to the left of who looks from `from` to `to`.
double distance_left_m(const FloorLine& line, const Eigen::Vector2d& place_m);

// Whether a step from a to b meets the line between its ends.
bool meets(const FloorLine& line, const Eigen::Vector2d& a_m, const Eigen::Vector2d& b_m);

}  // namespace vantage
