#include "core/calibration/solve/board.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/text.h"
#include "core/calibration/solve/detail/marker_board.h"

namespace vantage {
namespace {

constexpr int kMaxCorners = 100;  // in each direction

bool is_length(double length_m) {
  return length_m > 0 && std::isfinite(length_m);
}

Status check_dictionary(const std::string& dictionary) {
  const std::vector<std::string_view> known = marker_dictionaries();
  if (std::find(known.begin(), known.end(), dictionary) != known.end()) return {};
  std::string names;
  for (const std::string_view name : known) append_item(&names, name);
  return fail(ErrorKind::invalid_argument, "there is no dictionary of markers called '" + dictionary + "'",
              "board", "Known are " + names + ".");
}

// Dictionaries of the same bits hold the same markers: DICT_4X4_50 begins DICT_4X4_100.
std::string_view family_of(const Board& board) {
  const std::string_view name = board.markers ? board.markers->dictionary : board.tags->dictionary;
  return name.find('X') == std::string_view::npos ? name : name.substr(0, name.rfind('_'));
}

Status check_apart(std::span<const Board> boards, size_t a, size_t b) {
  const Board &first = boards[a], &second = boards[b];
  if (family_of(first) != family_of(second)) return {};
  const int a_end = first.first_id() + first.marker_count(),
            b_end = second.first_id() + second.marker_count();
  if (a_end <= second.first_id() || b_end <= first.first_id()) return {};
  return fail(ErrorKind::invalid_argument,
              fmt::format("boards {} and {} have the same markers: identities {} to {} and {} to {}", a + 1,
                          b + 1, first.first_id(), a_end - 1, second.first_id(), b_end - 1),
              "board", "Print boards whose identities begin elsewhere (first tag, first marker).");
}

Status check_markers(const Board& board) {
  VANTAGE_TRY(check_dictionary(board.markers->dictionary));
  // Only draw_board() checks that the dictionary has all of them: too many were always accepted here.
  if (const int first = board.markers->first_id, known = marker_count(board.markers->dictionary);
      first < 0 || (first > 0 && first > known - board.marker_count()))
    return fail(ErrorKind::invalid_argument,
                fmt::format("{} markers from identity {} on are more than {} has ({})", board.marker_count(),
                            first, board.markers->dictionary, known),
                "board", "Name the dictionary that the board is printed from, and its lowest identity.");
  if (!(board.markers->side_m > 0) || !(board.markers->side_m < board.square_m))
    return fail(ErrorKind::invalid_argument, "a marker's side must be shorter than a square's", "board",
                "Measure the printed board: a marker with its black border.");
  return {};
}

Status check_tags(const Board& board) {
  const BoardTags& tags = *board.tags;
  if (board.columns % 2 != 0 || board.rows % 2 != 0 || board.columns < 4 || board.rows < 4 ||
      board.columns > kMaxCorners || board.rows > kMaxCorners)
    return fail(ErrorKind::invalid_argument,
                fmt::format("a grid needs 2 to {} tags in each direction", kMaxCorners / 2), "board",
                "Count the tags of a row and of a column.");
  VANTAGE_TRY(check_dictionary(tags.dictionary));
  if (!is_length(tags.side_m) || !is_length(tags.gap_m))
    return fail(ErrorKind::invalid_argument, "a tag's side and gap must be positive lengths", "board",
                "Measure the printed board: a tag with its black border, and the white between two tags.");
  const int wanted = board.corner_count() / 4, known = marker_count(tags.dictionary);
  if (tags.first_id < 0 || tags.first_id > known - wanted)
    return fail(ErrorKind::invalid_argument,
                fmt::format("{} tags from identity {} on are more than {} has ({})", wanted, tags.first_id,
                            tags.dictionary, known),
                "board", "Name the dictionary that the board is printed from, and its lowest identity.");
  return {};
}

}  // namespace

Board grid_of_tags(int tag_columns, int tag_rows, const BoardTags& tags) {
  // More than that is refused in any case.
  return {.columns = 2 * std::min(tag_columns, kMaxCorners),
          .rows = 2 * std::min(tag_rows, kMaxCorners),
          .tags = tags};
}

Status check_board(const Board& board) {
  if (board.tags && board.markers)
    return fail(ErrorKind::invalid_argument, "a board has markers in its squares or is a grid of tags",
                "board", "Give one of the two.");
  if (board.tags) return check_tags(board);
  const int fewest = board.markers ? 2 : 3;
  if (board.columns < fewest || board.rows < fewest || board.columns > kMaxCorners ||
      board.rows > kMaxCorners)
    return fail(ErrorKind::invalid_argument,
                fmt::format("the board needs {} to {} inner corners in each direction", fewest, kMaxCorners),
                "board", "Count the corners where four squares meet: a board of 9 x 7 squares has 8 x 6.");
  if (!is_length(board.square_m))
    return fail(ErrorKind::invalid_argument, "the side of a square must be a positive length", "board",
                "Measure the printed board.");
  return board.markers ? check_markers(board) : Status{};
}

Status check_boards(std::span<const Board> boards) {
  if (boards.empty()) return fail(ErrorKind::invalid_argument, "there is no board", "board", "Give one.");
  for (const Board& board : boards) VANTAGE_TRY(check_board(board));
  if (boards.size() == 1) return {};
  for (size_t b = 0; b < boards.size(); ++b) {
    if (!boards[b].names_corners())
      return fail(ErrorKind::unsupported, "plain chessboards cannot be distinguished",
                  fmt::format("board {}", b + 1),
                  "Take boards with markers (ChArUco) or grids of tags, each with identities of its own.");
    for (size_t a = 0; a < b; ++a) VANTAGE_TRY(check_apart(boards, a, b));
  }
  return {};
}

std::vector<Board> boards_alike(const Board& first, int count) {
  std::vector<Board> boards;
  for (int i = 0; i < count; ++i) {
    Board board = first;
    if (board.markers) board.markers->first_id += i * board.marker_count();
    if (board.tags) board.tags->first_id += i * board.marker_count();
    boards.push_back(board);
  }
  return boards;
}

Board further_board(const Board& like, std::span<const Board> others) {
  Board board = like;
  if (!board.names_corners()) return board;
  int first = board.first_id() + board.marker_count();
  for (const Board& other : others)
    if (other.names_corners() && family_of(other) == family_of(like))
      first = std::max(first, other.first_id() + other.marker_count());
  (board.markers ? board.markers->first_id : board.tags->first_id) = first;
  return board;
}

std::string board_text(const Board& board) {
  if (board.tags)
    return fmt::format("grid of {} x {} tags of {}", board.columns / 2, board.rows / 2,
                       board.tags->dictionary);
  return fmt::format("board of {} x {} inner corners", board.columns, board.rows);
}

std::string board_advice(const Board& board) {
  if (board.tags)
    return fmt::format(
        "Check that the tags are those of {}, how many a row ({}) and a column ({}) have, and that the "
        "lowest "
        "identity is {}; four tags in two rows and two columns must be seen at once.",
        board.tags->dictionary, board.columns / 2, board.rows / 2, board.tags->first_id);
  return "Count the corners between squares, not squares; give the pictures that show the board.";
}

size_t coverage_part(double x_px, double y_px, int width_px, int height_px) {
  const int x = std::clamp(static_cast<int>(x_px * kCoverageColumns / width_px), 0, kCoverageColumns - 1);
  const int y = std::clamp(static_cast<int>(y_px * kCoverageRows / height_px), 0, kCoverageRows - 1);
  return static_cast<size_t>(y * kCoverageColumns + x);
}

std::vector<std::string_view> uncovered_places(const BoardCoverage& coverage) {
  constexpr const char* kPlaces[] = {"top left", "top",         "top right", "left",        "",
                                     "right",    "bottom left", "bottom",    "bottom right"};
  constexpr int kColumns[] = {0, kCoverageColumns / 2 - 1, kCoverageColumns - 1};
  constexpr int kRows[] = {0, kCoverageRows / 2 - 1, kCoverageRows - 1};
  std::vector<std::string_view> uncovered;
  for (int place = 0; place < 9; ++place) {
    if (place == 4) continue;
    const int part = kRows[place / 3] * kCoverageColumns + kColumns[place % 3];
    if (coverage[part] == 0) uncovered.emplace_back(kPlaces[place]);
  }
  return uncovered;
}

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

  // Adds each row's dark cells as few rectangles.
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
    return fail(
        ErrorKind::invalid_argument,
        fmt::format("the board has {} light squares, but {} has only {} markers", board.marker_count(),
                    board.markers->dictionary, marker_count(board.markers->dictionary)),
        "board", "Choose a larger dictionary: DICT_4X4_100, DICT_4X4_250.");
  return Drawer(board).chessboard();
}

TagStyle usual_style(const Board& board) {
  return board.tags && board.tags->dictionary.starts_with("DICT_APRILTAG") ? TagStyle::kalibr
                                                                           : TagStyle::opencv;
}

}  // namespace vantage
