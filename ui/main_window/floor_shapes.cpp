#include "ui/main_window/floor_shapes.h"

#include <algorithm>
#include <cmath>

namespace vantage::ui {

std::string free_name(const Project& project, bool zone) {
  const auto used = [&](const std::string& name) {
    const auto same = [&](const auto& shape) { return shape.name == name; };
    return std::any_of(project.zones.begin(), project.zones.end(), same) ||
           std::any_of(project.lines.begin(), project.lines.end(), same);
  };
  for (int number = 1;; ++number)
    if (std::string name = (zone ? "zone " : "line ") + std::to_string(number); !used(name)) return name;
}

FloorZone* zone_named(Project& project, const std::string& name) {
  const auto found = std::find_if(project.zones.begin(), project.zones.end(),
                                  [&](const FloorZone& zone) { return zone.name == name; });
  return found == project.zones.end() ? nullptr : &*found;
}
FloorLine* line_named(Project& project, const std::string& name) {
  const auto found = std::find_if(project.lines.begin(), project.lines.end(),
                                  [&](const FloorLine& line) { return line.name == name; });
  return found == project.lines.end() ? nullptr : &*found;
}

bool has_extent(bool zone, const std::vector<Eigen::Vector2d>& corners_m) {
  constexpr double kMin_m = 0.01;
  if (!zone) return (corners_m[1] - corners_m[0]).norm() > kMin_m;
  double twice_area = 0;
  for (size_t i = 0; i < corners_m.size(); ++i) {
    const Eigen::Vector2d &a = corners_m[i], &b = corners_m[(i + 1) % corners_m.size()];
    twice_area += a.x() * b.y() - a.y() * b.x();
  }
  return std::abs(twice_area) > 2 * kMin_m * kMin_m;
}

}  // namespace vantage::ui
