// Likelihood that two sightings show one person, by position and motion.
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

// Sightings of a path, without bridged positions.
std::vector<PathPoint> sightings(const PersonPath& path);

// Position and velocity of a person by the sightings of the kHeading_s before (or after); no velocity with
// too few of these.
struct Heading {
  Eigen::Vector2d place_m;
  std::optional<Eigen::Vector2d> velocity_m_per_s;
};
inline constexpr double kHeading_s = 0.6;
Heading heading_before(const std::vector<PathPoint>& seen, size_t at, double frame_rate);
Heading heading_behind(const std::vector<PathPoint>& seen, size_t at, double frame_rate);

// Negative log density, per m^2, of a person with the first heading having the second one dt later; differing
// velocities add up to kMostTurn.
inline constexpr double kMostTurn = 6;
double link_cost(const Heading& from, const Heading& to, double dt_s);

// Mean height over the sightings of kHeights_s before (after) that one, itself included, and their number.
struct MeanHeight {
  double height_m = 0;
  int count = 0;
};
inline constexpr double kHeights_s = 3;
MeanHeight height_before(const std::vector<PathPoint>& seen, size_t at, double frame_rate);
MeanHeight height_behind(const std::vector<PathPoint>& seen, size_t at, double frame_rate);

// Negative log density of the difference of two mean heights of one person, up to a constant.
double height_cost(const MeanHeight& a, const MeanHeight& b);
// The same for two random people.
double strangers_cost(const MeanHeight& a, const MeanHeight& b);

}  // namespace vantage::doubt_detail
