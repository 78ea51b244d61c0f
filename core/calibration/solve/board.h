// A board and what one camera sees of it at one instant: a chessboard, plain or with markers in its light
// squares (ChArUco), or a grid of tags with gaps between them (Kalibr's aprilgrid, OpenCV's GridBoard).
//
// Its points are inner corners of a chessboard, and all four corners of each tag of a grid. Board
// coordinates: metres, right-handed, z = 0 on the printed side and z up towards the viewer. Corner `index` =
// row * columns + column is at (x_m, y_m, 0). has_half_turn(): the board looks the same after half a turn
// about its middle, so that two orders of corners cannot be distinguished. Markers and tags identify the
// corners: the first row is then the lowest one as the board is printed. They also identify each of several
// boards.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/image/image_view.h"

namespace vantage {

struct BoardMarkers {
  std::string dictionary;  // "DICT_4X4_50"; OpenCV's names
  double side_m = 0;       // of a marker, its black border included
  int first_id = 0;        // of the first light square's; the others count on, as OpenCV draws them

  bool operator==(const BoardMarkers&) const = default;
};

// Identities count row by row. The picture shows whether from the lowest row up (Kalibr) or from the highest
// down (OpenCV), how the tags are turned, and whether their black border is one or two bits wide.
struct BoardTags {
  std::string dictionary;  // "DICT_APRILTAG_36h11"; OpenCV's names
  double side_m = 0;       // of a tag, its black border included
  double gap_m = 0;        // between tags
  int first_id = 0;

  bool operator==(const BoardTags&) const = default;
};

struct Board {
  int columns = 0, rows = 0;  // inner corners, at least 3 each; of a grid of tags two for each tag
  double square_m = 0;        // the side of a square; of a grid of tags not read
  std::optional<BoardMarkers> markers = {};
  std::optional<BoardTags> tags = {};

  int corner_count() const { return columns * rows; }
  double x_m(int index) const { return along_m(index % columns); }
  double y_m(int index) const { return along_m(index / columns); }
  int half_turned(int index) const { return corner_count() - 1 - index; }
  // True if the print next to each corner identifies it.
  bool names_corners() const { return markers || tags; }
  // Markers or tags on it; none: 0.
  int marker_count() const {
    return markers ? (columns + 1) * (rows + 1) / 2 : tags ? corner_count() / 4 : 0;
  }
  int first_id() const { return markers ? markers->first_id : tags ? tags->first_id : 0; }
  // The colours of the squares repeat after half a turn: both numbers are even, or both are odd.
  bool has_half_turn() const { return !names_corners() && (columns + rows) % 2 == 0; }
  bool operator==(const Board&) const = default;

 private:
  double along_m(int step) const {
    return tags ? step / 2 * (tags->side_m + tags->gap_m) + step % 2 * tags->side_m : step * square_m;
  }
};

Board grid_of_tags(int tag_columns, int tag_rows, const BoardTags& tags);

// Fails on fewer than 3 corners in a direction (2 with markers; 2 tags), more than 100, a side or gap that is
// not positive, a dictionary that is unknown or has too few markers, and markers that do not fit into
// squares.
Status check_board(const Board& board);
// Checks boards that are shown together: each of them, and that their markers differ. Fails, too, on none.
Status check_boards(std::span<const Board> boards);
// `count` boards of this kind, with identities that continue from each board to the next.
std::vector<Board> boards_alike(const Board& first, int count);
// One more of the kind of `like`, with identities behind those of all others with its markers.
Board further_board(const Board& like, std::span<const Board> others);
// "board of 9 x 6 inner corners", "grid of 6 x 6 tags of DICT_APRILTAG_36h11".
std::string board_text(const Board& board);
// Advice, as a sentence, if no picture shows the board.
std::string board_advice(const Board& board);
// Names of the dictionaries that are known, as OpenCV has them: "DICT_4X4_50", ...
std::vector<std::string_view> marker_dictionaries();

struct BoardCorner {
  int index = 0;
  double x_px = 0, y_px = 0;               // pixel (0,0) is the centre of the top-left pixel
  std::array<double, 2> velocity_px = {};  // per picture; 0 if not asked for
};

// Corners in the order of their index, each at most once; not all need to be there.
struct BoardView {
  int camera = 0;
  int64_t instant = 0;  // views of the same instant show the same pose of the board
  std::vector<BoardCorner> corners;
  int board = 0;  // which one of several
};

// Coverage of a camera's picture by the corners of a board.

// Corners counted over the picture, row by row from the top left.
inline constexpr int kCoverageColumns = 6, kCoverageRows = 4;
using BoardCoverage = std::array<int, kCoverageColumns * kCoverageRows>;

// The part of a pixel; pixels outside the picture count for the nearest one.
size_t coverage_part(double x_px, double y_px, int width_px, int height_px);
// Parts without a corner, among the picture's corners and the middles of its sides: "top left".
std::vector<std::string_view> uncovered_places(const BoardCoverage& coverage);

// Slant of a board, from the line of sight, that shows the focal length, and how many of them do.
inline constexpr double kSlantedBoard_rad = 0.26;  // 15 degrees
inline constexpr int kMinSlantedBoards = 5;

// The board that the markers in pictures show, if it is another one than was stated: columns and rows
// exchanged, miscounted, squares counted for inner corners, or markers of another dictionary.

class BoardGuess {
 public:
  // A board with markers (BoardMarkers).
  explicit BoardGuess(const Board& stated) : stated_(stated) {}
  // `gray`: as for find_board(). A dozen pictures are enough.
  void look(ImageView<const uint8_t> gray);
  // True if enough was seen to decide.
  bool enough() const;
  // Nothing: the markers fit the stated board, or too few were seen. Rows reach as far as markers were seen.
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

// A board as it is printed: dark rectangles on white.

// Measured from the left and the top of the print, y down.
struct BoardRectangle {
  double left_m = 0, top_m = 0, width_m = 0, height_m = 0;
};

struct BoardDrawing {
  double width_m = 0, height_m = 0;  // without a white margin, which a board needs
  std::vector<BoardRectangle> dark;
  double first_x_m = 0, first_y_m = 0;  // position of the board's first corner; its y points up
};

enum class TagStyle {
  kalibr,  // identities from the lowest row up, a border of two bits, squares between the tags' corners
  opencv,  // identities from the highest row down, a border of one bit, white between tags
};

// A chessboard's lowest square at the left is dark; of a board with markers the highest one, as OpenCV draws
// it. `style` counts for grids of tags. Errors: those of check_board(); a dictionary of too few markers.
Result<BoardDrawing> draw_board(const Board& board, TagStyle style);
// The usual print of such boards: AprilTags as by Kalibr, ArUco's markers as by OpenCV.
TagStyle usual_style(const Board& board);

}  // namespace vantage
