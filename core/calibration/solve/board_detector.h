// Finds a chessboard in a picture: by OpenCV's findChessboardCorners where it finds all corners, else as a
// grid over the saddle points of the picture (saddle_grid.h), which copes with small, slanted, overexposed
// and covered boards, else by findChessboardCornersSB, which copes with strong fisheyes. Corners are refined
// by cornerSubPix (W. Förstner, E. Gülch, "A fast operator for detection and precise location of distinct
// points", 1987); one that lies where no lens puts it is left out. A larger board than stated is none. Boards
// with markers are found by these (marker_board.h), grids of tags by their tags (tag_board.h).
#pragma once

#include <optional>

#include "core/base/threads.h"
#include "core/calibration/solve/board.h"
#include "core/image/image_view.h"

namespace vantage {

// `gray`: luma, 8 bits, at least 32 x 32. The corners found, at least three quarters of them,
// whose indices are certain but for half a turn where board.has_half_turn();
// nothing when there is no board; of a board with markers at least six, in two rows and two columns at least;
// of a grid all corners of at least four tags, in two rows and two columns at least.
// The square between the corners 0, 1 and columns is dark where the colours tell; else
// x points to the right of the picture. Same picture, same corners. Nothing, too, within a
// fraction of a second after it is stopped.
std::optional<std::vector<BoardCorner>> find_board(ImageView<const uint8_t> gray, const Board& board,
                                                   const StopSource& stop = {});

}  // namespace vantage
