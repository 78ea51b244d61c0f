#include "core/geometry/floor_shapes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vantage {
namespace {

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

double distance_to_edge(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& place) {
  const Eigen::Vector2d along = b - a;
  const double length = along.squaredNorm();
  const double share = length > 0 ? std::clamp((place - a).dot(along) / length, 0.0, 1.0) : 0;
  return (a + share * along - place).norm();
}

}  // namespace

double distance_inside_m(const FloorZone& zone, const Eigen::Vector2d& place_m) {
  double nearest = std::numeric_limits<double>::infinity();
  bool inside = false;
  const size_t n = zone.corners_m.size();
  for (size_t i = 0; i < n; ++i) {
    const Eigen::Vector2d &a = zone.corners_m[i], &b = zone.corners_m[(i + 1) % n];
    nearest = std::min(nearest, distance_to_edge(a, b, place_m));
    if ((a.y() > place_m.y()) == (b.y() > place_m.y())) continue;
    // The edge crosses the ray along x.
    if (place_m.x() < a.x() + (place_m.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x())) inside = !inside;
  }
  return inside ? nearest : -nearest;
}

bool in_any(std::span<const FloorZone> zones, const Eigen::Vector2d& place_m) {
  return zones.empty() || std::any_of(zones.begin(), zones.end(), [&](const FloorZone& zone) {
           return distance_inside_m(zone, place_m) >= 0;
         });
}

std::vector<FloorZone> zones_of_kind(std::span<const FloorZone> zones, ZoneKind kind) {
  std::vector<FloorZone> chosen;
  for (const FloorZone& zone : zones)
    if (zone.kind == kind) chosen.push_back(zone);
  return chosen;
}

double distance_left_m(const FloorLine& line, const Eigen::Vector2d& place_m) {
  const Eigen::Vector2d along = line.to_m - line.from_m;
  const double length = along.norm();
  return length > 0 ? cross(along, place_m - line.from_m) / length : 0;
}

bool meets(const FloorLine& line, const Eigen::Vector2d& a_m, const Eigen::Vector2d& b_m) {
  const double left_a = distance_left_m(line, a_m), left_b = distance_left_m(line, b_m);
  if ((left_a > 0) == (left_b > 0)) return false;
  const Eigen::Vector2d at = a_m + left_a / (left_a - left_b) * (b_m - a_m);
  const Eigen::Vector2d along = line.to_m - line.from_m;
  const double share = (at - line.from_m).dot(along) / along.squaredNorm();
  return share >= 0 && share <= 1;
}

}  // namespace vantage
