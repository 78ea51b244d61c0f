// Markers of a board whose places on it are known by their identities, and whether they agree on where each
// other is. Neighbours are asked, so that a lens that bends the board does no harm.
#pragma once

#include <Eigen/Geometry>
#include <span>

#include "core/calibration/solve/detail/markers.h"

namespace vantage {

struct PlacedMarker {
  int id = 0, column = 0, row = 0;                       // on the board, by identity
  Quad corners;                                          // of the picture
  Eigen::Matrix3d picture_from_unit, unit_from_picture;  // the unit square is the marker, y down
  Eigen::Vector2d middle;                                // of the picture
};

PlacedMarker placed_marker(const SeenMarker& seen, int column, int row);

// Through a homography.
inline Eigen::Vector2d through(const Eigen::Matrix3d& homography, const Eigen::Vector2d& point) {
  return (homography * point.homogeneous()).hnormalized();
}

// Whether `marker` expects `other` where it is: its middle lies so many sides from its own. Not farther off
// than a share of a side for each column or row between them.
bool expects(const PlacedMarker& marker, const PlacedMarker& other, const Eigen::Vector2d& sides);

struct MarkerVotes {
  int votes = 0, asked = 0;
};

// How many of the markers near this one, two columns or rows at most, expect it where it is.
// sides_between(from, to): how many of its sides lie from the middle of `from` to that of `to`, as it stands
// in the picture.
template <typename SidesBetween>
MarkerVotes votes_about(const PlacedMarker& marker, std::span<const PlacedMarker> all,
                        const SidesBetween& sides_between) {
  constexpr int kNear = 2;
  MarkerVotes counted;
  for (const PlacedMarker& other : all) {
    const int columns = std::abs(marker.column - other.column), rows = std::abs(marker.row - other.row);
    if (columns + rows == 0 || columns > kNear || rows > kNear) continue;
    ++counted.asked, counted.votes += expects(other, marker, sides_between(other, marker));
  }
  return counted;
}

}  // namespace vantage
