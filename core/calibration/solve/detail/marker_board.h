// A ChArUco board in a picture: a chessboard whose light squares hold markers, which name its corners, so
// that any part of it will do. OpenCV's aruco finds it (S. Garrido-Jurado et al., "Automatic generation and
// detection of highly reliable fiducial markers under occlusion", 2014).
#pragma once

#include <vector>

#include "core/calibration/solve/board.h"
#include "core/calibration/solve/detail/saddle_grid.h"
#include "core/image/image_view.h"

namespace vantage {

// Corners by the board's markers, x to the right and y down as the board is printed; dark and light may be
// exchanged on all of the board. Where the number of rows of squares is even, the top left one may be dark
// (OpenCV since 4.6) or hold a marker (before): the picture tells. board.markers is there and its dictionary
// is known. Empty: no board.
std::vector<GridCorner> find_marker_board(ImageView<const uint8_t> gray, const Board& board);

}  // namespace vantage
