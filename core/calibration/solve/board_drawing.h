// A board as it is printed: dark rectangles on white.
#pragma once

#include <vector>

#include "core/calibration/solve/board.h"

namespace vantage {

// Measured from the left and the top of the print, y down.
struct BoardRectangle {
  double left_m = 0, top_m = 0, width_m = 0, height_m = 0;
};

struct BoardDrawing {
  double width_m = 0, height_m = 0;  // without a white margin, which a board needs
  std::vector<BoardRectangle> dark;
  double first_x_m = 0, first_y_m = 0;  // where the board's first corner lies; its y goes up
};

enum class TagStyle {
  kalibr,  // identities from the lowest row up, a border of two bits, squares between the tags' corners
  opencv,  // identities from the highest row down, a border of one bit, white between tags
};

// A chessboard's lowest square at the left is dark; of a board with markers the highest one, as OpenCV draws
// it. `style` counts for grids of tags. Errors: those of check_board(); a dictionary of too few markers.
Result<BoardDrawing> draw_board(const Board& board, TagStyle style);
// As most such boards are printed: AprilTags as Kalibr does, ArUco's markers as OpenCV.
TagStyle usual_style(const Board& board);

}  // namespace vantage
