#include "core/calibration/solve/detail/placed_marker.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cstdlib>

namespace vantage {

PlacedMarker placed_marker(const SeenMarker& seen, int column, int row) {
  const Eigen::Matrix3d picture_from_unit = picture_from_square(seen.corners);
  return {seen.id,
          column,
          row,
          seen.corners,
          picture_from_unit,
          picture_from_unit.inverse(),
          through(picture_from_unit, {0.5, 0.5})};
}

bool expects(const PlacedMarker& marker, const PlacedMarker& other, const Eigen::Vector2d& sides) {
  constexpr double kOffPerStep = 0.35;
  const int steps = std::max(std::abs(other.column - marker.column), std::abs(other.row - marker.row));
  const Eigen::Vector2d expected = Eigen::Vector2d(0.5, 0.5) + sides;
  return (through(marker.unit_from_picture, other.middle) - expected).norm() < kOffPerStep * steps;
}

}  // namespace vantage
