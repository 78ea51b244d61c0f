// Zones and lines that people draw on the floor.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vantage {

// counted: people in it are counted; entrance: people appear and disappear there (path_tracking); area:
// people stand only in areas, once there is one.
enum class ZoneKind : uint8_t { counted, entrance, area };
inline constexpr std::array<std::string_view, 3> kZoneKindNames = {"counted", "entrance", "area"};

// A polygon; its border does not cross itself. Convex or not, either way around.
struct FloorZone {
  std::string name;
  std::vector<Eigen::Vector2d> corners_m;  // at least three
  ZoneKind kind = ZoneKind::counted;
  bool operator==(const FloorZone&) const = default;
};

struct FloorLine {
  std::string name;
  Eigen::Vector2d from_m = {0, 0}, to_m = {0, 0};
  bool operator==(const FloorLine&) const = default;
};

// Distance from the zone's border: positive inside, negative outside.
double distance_inside_m(const FloorZone& zone, const Eigen::Vector2d& place_m);

// True if the position is in one of the zones, or if there are none.
bool in_any(std::span<const FloorZone> zones, const Eigen::Vector2d& place_m);
std::vector<FloorZone> zones_of_kind(std::span<const FloorZone> zones, ZoneKind kind);

// Distance from the straight line through both ends: positive on the left, seen from `from` to `to`.
double distance_left_m(const FloorLine& line, const Eigen::Vector2d& place_m);

// True if a step from a to b meets the line between its ends.
bool meets(const FloorLine& line, const Eigen::Vector2d& a_m, const Eigen::Vector2d& b_m);

}  // namespace vantage
