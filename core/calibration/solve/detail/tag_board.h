// A grid of tags in a picture: Kalibr's aprilgrid (P. Furgale, J. Rehder, R. Siegwart, "Unified temporal and
// spatial calibration for multi-sensor systems", IROS 2013) and OpenCV's GridBoard. Each tag says where it
// expects its neighbours; the order of identities and the turn of the tags on which they agree are the
// board's. Corners that touch a small square, as on Kalibr's boards, are saddle points; others lie where
// lines along the tag's sides meet.
#pragma once

#include <vector>

#include "core/base/threads.h"
#include "core/calibration/solve/board.h"
#include "core/calibration/solve/detail/saddle_grid.h"
#include "core/image/image_view.h"

namespace vantage {

// Corners of tags by their identities, x to the right and y down as the board is printed. board.tags is there
// and its dictionary is known. Empty: fewer than four tags that agree, in two rows and two columns, or
// stopped.
std::vector<GridCorner> find_tag_board(ImageView<const uint8_t> gray, const Board& board,
                                       const StopSource& stop);

}  // namespace vantage
