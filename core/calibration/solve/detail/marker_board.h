// A ChArUco board in a picture: a chessboard whose light squares hold markers, which name its corners, so
// that any part of it will do. OpenCV's aruco finds it (S. Garrido-Jurado et al., "Automatic generation and
// detection of highly reliable fiducial markers under occlusion", 2014).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/calibration/solve/board.h"
#include "core/calibration/solve/detail/saddle_grid.h"
#include "core/image/image_view.h"

namespace vantage {

// Corners by the board's markers, x to the right and y down as the board is printed; dark and light may be
// exchanged on all of the board. If the number of rows of squares is even, the top left one may be dark
// (OpenCV since 4.6) or hold a marker (before): the picture decides. board.markers is there and its
// dictionary is known. Empty: no board.
std::vector<GridCorner> find_marker_board(ImageView<const uint8_t> gray, const Board& board);

// Square markers in a picture, one by one, and as they are printed: ArUco's and AprilTag's, by OpenCV's aruco
// (S. Garrido-Jurado et al., "Automatic generation and detection of highly reliable fiducial markers under
// occlusion", 2014).

// OpenCV's number of a dictionary that is known (marker_dictionaries()).
int opencv_dictionary(std::string_view name);
// Number of its markers.
int marker_count(std::string_view dictionary);

using Quad = std::array<Eigen::Vector2d, 4>;  // from the top left, clockwise
// Takes the unit square, y down, to the picture.
Eigen::Matrix3d picture_from_square(const Quad& quad);

struct SeenMarker {
  int id = 0;
  Quad corners;  // to about a pixel
};

// `border_bits`: the width of the black border, in bits of the code; 1 or 2. `darker_by`: minimum difference
// of a dark pixel from its neighbourhood; more separates dark areas that touch at a corner. Dark and light
// may be exchanged.
std::vector<SeenMarker> find_markers(ImageView<const uint8_t> gray, std::string_view dictionary,
                                     int border_bits = 1, double darker_by = 7);

// Row by row from the top left, with the border: true is dark. Their number is a square.
std::vector<bool> marker_cells(std::string_view dictionary, int id, int border_bits);

// Markers of a board with known positions, by their identities, and their agreement on each other's
// positions. Neighbours vote, so that a lens that bends the board does no harm.

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

// True if `marker` expects `other` where it is: its middle is so many sides from its own, with an error of at
// most a share of a side for each column or row between them.
bool expects(const PlacedMarker& marker, const PlacedMarker& other, const Eigen::Vector2d& sides);

struct MarkerVotes {
  int votes = 0, asked = 0;
};

// Votes of the markers near this one, two columns or rows at most, that expect it where it is.
// sides_between(from, to): number of its sides from the middle of `from` to that of `to`, as turned in the
// picture.
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
