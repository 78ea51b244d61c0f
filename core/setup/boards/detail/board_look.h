// How a board looks to a camera: where in the picture, how large, how slanted; by this views are compared.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/calibration/solve/board.h"

namespace vantage {

struct BoardLook {
  Eigen::Vector2d middle;    // of the corners seen, in shares of the picture's width and height
  double log_square_px = 0;  // of a square's side, as long as it looks before it is slanted
  Eigen::Vector2d slant;     // towards where the board recedes in the picture; length: the angle's sine

  // A camera learns something from the second view that it did not from the first.
  bool differs_from(const BoardLook& other) const;
  bool slanted() const;  // by more than kSlantedBoard_rad
};

// Look by the plane's projective map that fits the corners best, with the camera taken for one that looks
// straight at them. Nothing where the corners do not tell it: fewer than 4, or all on a line.
std::optional<BoardLook> look_of(const Board& board, const std::vector<BoardCorner>& corners, int width_px,
                                 int height_px);

}  // namespace vantage
