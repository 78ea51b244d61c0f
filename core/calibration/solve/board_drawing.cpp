#include "core/calibration/solve/board_drawing.h"

#include <cmath>

#include "core/base/formatted.h"
#include "core/calibration/solve/detail/markers.h"

namespace vantage {
namespace {

class Drawer {
 public:
  explicit Drawer(const Board& board) : board_(board) {}

  BoardDrawing chessboard() {
    const int columns = board_.columns + 1, rows = board_.rows + 1;
    start(columns * board_.square_m, rows * board_.square_m);
    drawing_.first_x_m = board_.square_m, drawing_.first_y_m = drawing_.height_m - board_.square_m;
    int id = board_.first_id();
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        const bool dark = board_.markers ? (row + column) % 2 == 0 : (rows - 1 - row + column) % 2 == 0;
        const double left_m = column * board_.square_m, top_m = row * board_.square_m;
        if (dark)
          add(left_m, top_m, board_.square_m, board_.square_m);
        else if (board_.markers)
          add_marker(board_.markers->dictionary, id++, 1, board_.markers->side_m,
                     left_m + (board_.square_m - board_.markers->side_m) / 2,
                     top_m + (board_.square_m - board_.markers->side_m) / 2);
      }
    return drawing_;
  }

  BoardDrawing tags(TagStyle style) {
    const BoardTags& tags = *board_.tags;
    const bool kalibr = style == TagStyle::kalibr;
    const int columns = board_.columns / 2, rows = board_.rows / 2;
    const double step_m = tags.side_m + tags.gap_m, margin_m = kalibr ? tags.gap_m : 0;
    start(columns * step_m - tags.gap_m + 2 * margin_m, rows * step_m - tags.gap_m + 2 * margin_m);
    drawing_.first_x_m = margin_m, drawing_.first_y_m = drawing_.height_m - margin_m;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        add_marker(tags.dictionary, tags.first_id + (kalibr ? rows - 1 - row : row) * columns + column,
                   kalibr ? 2 : 1, tags.side_m, margin_m + column * step_m, margin_m + row * step_m);
    for (int row = 0; kalibr && row <= rows; ++row)
      for (int column = 0; column <= columns; ++column)
        add(column * step_m, row * step_m, tags.gap_m, tags.gap_m);
    return drawing_;
  }

 private:
  void start(double width_m, double height_m) { drawing_.width_m = width_m, drawing_.height_m = height_m; }
  void add(double left_m, double top_m, double width_m, double height_m) {
    drawing_.dark.push_back({left_m, top_m, width_m, height_m});
  }

  // Each row's dark cells as few rectangles.
  void add_marker(const std::string& dictionary, int id, int border_bits, double side_m, double left_m,
                  double top_m) {
    const std::vector<bool> dark = marker_cells(dictionary, id, border_bits);
    const auto cells = static_cast<size_t>(std::lround(std::sqrt(static_cast<double>(dark.size()))));
    const double cell_m = side_m / static_cast<double>(cells);
    for (size_t row = 0; row < cells; ++row)
      for (size_t first = 0, end = 0; first < cells; first = end + 1) {
        for (end = first; end < cells && dark[row * cells + end];) ++end;
        if (end > first)
          add(left_m + static_cast<double>(first) * cell_m, top_m + static_cast<double>(row) * cell_m,
              static_cast<double>(end - first) * cell_m, cell_m);
      }
  }

  const Board& board_;
  BoardDrawing drawing_;
};

}  // namespace

Result<BoardDrawing> draw_board(const Board& board, TagStyle style) {
  VANTAGE_TRY(check_board(board));
  if (board.tags) return Drawer(board).tags(style);
  if (board.markers && board.marker_count() > marker_count(board.markers->dictionary))
    return fail(ErrorKind::invalid_argument,
                formatted("the board has %d light squares, but %s has only %d markers", board.marker_count(),
                          board.markers->dictionary.c_str(), marker_count(board.markers->dictionary)),
                "board", "Choose a larger dictionary: DICT_4X4_100, DICT_4X4_250.");
  return Drawer(board).chessboard();
}

TagStyle usual_style(const Board& board) {
  return board.tags && board.tags->dictionary.starts_with("DICT_APRILTAG") ? TagStyle::kalibr
                                                                           : TagStyle::opencv;
}

}  // namespace vantage
