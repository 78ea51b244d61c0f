// How likely a person seen in one place is the one seen in another before, by where the person was going.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/people/floor_person.h"
#include "core/tracks/repairs/repairs.h"

namespace vantage::doubt_detail {

inline PlaceInTime place_in_time(const PathPoint& point) {
  return {point.frame, point.x_m, point.y_m};
}

// Sightings of a path, bridged positions left out.
std::vector<PathPoint> sightings(const PersonPath& path);

// Where a person was, and was going: by the sightings of the kHeading_s before (or behind) it; no velocity
// where these are too few.
struct Heading {
  Eigen::Vector2d place_m;
  std::optional<Eigen::Vector2d> velocity_m_per_s;
};
inline constexpr double kHeading_s = 0.6;
Heading heading_before(const std::vector<PathPoint>& seen, size_t at, double frame_rate);
Heading heading_behind(const std::vector<PathPoint>& seen, size_t at, double frame_rate);

// -log of the density, per m^2, that a person with the first heading is there with the second one dt later;
// that velocities disagree costs up to kMostTurn on top.
inline constexpr double kMostTurn = 6;
double link_cost(const Heading& from, const Heading& to, double dt_s);

// The mean height over the sightings of kHeights_s before (behind) that one, itself included, and how many.
struct MeanHeight {
  double height_m = 0;
  int count = 0;
};
inline constexpr double kHeights_s = 3;
MeanHeight height_before(const std::vector<PathPoint>& seen, size_t at, double frame_rate);
MeanHeight height_behind(const std::vector<PathPoint>& seen, size_t at, double frame_rate);

// -log of the density of such a difference of two mean heights of one person, up to a constant.
double height_cost(const MeanHeight& a, const MeanHeight& b);
// The same of two people taken from all there are.
double strangers_cost(const MeanHeight& a, const MeanHeight& b);

}  // namespace vantage::doubt_detail
