// The corners of a chessboard as a lattice of saddle points of the smoothed brightness. Saddles whose bright
// directions agree are every other corner, which suffices to lay the board over the picture; the rest is
// found in the picture of the board made upright (compare A. Geiger et al., "Automatic camera and range
// sensor calibration using a single shot", ICRA 2012, which grows boards, too).
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/threads.h"
#include "core/image/image_view.h"

namespace vantage {

struct GridCorner {
  int column = 0,
      row = 0;  // 0 .. columns - 1, 0 .. rows - 1; which corner is (0, 0), and the handedness, are open
  double x_px = 0, y_px = 0;
};

// A board of that many corners whose squares' brightness alternates, with at least three quarters of its
// corners; empty when there is none, and when it is stopped. sigma_px: the smoothing, at most about a sixth
// of a square's side in the picture.
std::vector<GridCorner> find_saddle_grid(ImageView<const uint8_t> gray, int columns, int rows,
                                         double sigma_px, const StopSource& stop);

}  // namespace vantage
