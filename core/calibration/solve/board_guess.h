// Which board the markers in pictures show, where it is another one than was stated: columns and rows
// exchanged, miscounted, squares counted for inner corners, or markers of another dictionary.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "core/calibration/solve/board.h"
#include "core/image/image_view.h"

namespace vantage {

class BoardGuess {
 public:
  // A board with markers (BoardMarkers).
  explicit BoardGuess(const Board& stated) : stated_(stated) {}
  // `gray`: as for find_board(). A dozen pictures are enough.
  void look(ImageView<const uint8_t> gray);
  // Whether enough was seen to tell.
  bool enough() const;
  // Nothing: the markers fit the stated board, or too few were seen to tell. Rows reach as far as markers
  // were seen.
  std::optional<Board> shown() const;

 private:
  static constexpr int kLargest = 40;  // squares in a row

  Board stated_;
  int pictures_ = 0, with_markers_ = 0, largest_id_ = -1;
  int stated_votes_ = 0;
  std::array<int, kLargest + 1> votes_ = {};       // by squares in a row
  std::map<std::string, int> other_dictionaries_;  // pictures with many of its markers
};

// "the markers show a board of 4 x 6 inner corners (DICT_4X4_50), not of 6 x 4 (DICT_4X4_50)"
std::string shown_text(const Board& shown, const Board& stated);

}  // namespace vantage
