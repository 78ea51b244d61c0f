// A chessboard, plain or with markers in its light squares (ChArUco), and what one camera sees of it at one
// instant.
//
// Board coordinates: metres, right-handed, z = 0 on the printed side and z up towards whoever looks at it.
// Corner `index` = row * columns + column lies at (column, row, 0) * square_m. Orders of corners that a
// camera cannot tell apart are has_half_turn(): the board looks the same after half a turn about its middle.
// Markers tell the corners apart: the first row is then the lowest one as the board is printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace vantage {

struct BoardMarkers {
  std::string dictionary;  // "DICT_4X4_50"; OpenCV's names
  double side_m = 0;       // of a marker, its black border included
};

struct Board {
  int columns = 0, rows = 0;  // inner corners, at least 3 each
  double square_m = 0;        // the side of a square
  std::optional<BoardMarkers> markers = {};

  int corner_count() const { return columns * rows; }
  double x_m(int index) const { return index % columns * square_m; }
  double y_m(int index) const { return index / columns * square_m; }
  int half_turned(int index) const { return corner_count() - 1 - index; }
  // The colours of the squares repeat after half a turn: both numbers are even, or both are odd.
  bool has_half_turn() const { return !markers && (columns + rows) % 2 == 0; }
};

// Fails on fewer than 3 corners in a direction (2 with markers), more than 100, a side that is not positive,
// a dictionary that is not known, and markers that do not fit into squares.
Status check_board(const Board& board);
// Names of the dictionaries that are known, as OpenCV has them: "DICT_4X4_50", ...
std::vector<std::string_view> marker_dictionaries();

struct BoardCorner {
  int index = 0;
  double x_px = 0, y_px = 0;  // pixel (0,0) is the centre of the top-left pixel
};

// Corners in the order of their index, each at most once; not all need to be there.
struct BoardView {
  int camera = 0;
  int64_t instant = 0;  // views of the same instant show the same pose of the board
  std::vector<BoardCorner> corners;
};

}  // namespace vantage
