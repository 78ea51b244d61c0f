// The way of a person over a whole recording, with few enough points to be drawn in every view.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/people/floor_person.h"

namespace vantage {

// So near to the way lie the lines that stand for it: less than a line is wide in a picture. Those of a way
// that still needs more than so many points, over many hours, lie up to the larger tolerance away.
inline constexpr double kWayTolerance_m = 0.01, kLongWayTolerance_m = 16 * kWayTolerance_m;
inline constexpr size_t kManyWayPoints = 2000;

// Runs of frames without a gap, each from its first position to its last; metres on the floor.
std::vector<std::vector<Eigen::Vector2d>> walked_way(const PersonPath& path);

}  // namespace vantage
