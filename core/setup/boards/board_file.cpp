#include "core/setup/boards/board_file.h"

#include "core/base/formatted.h"
#include "core/calibration/formats/caliscope_board.h"
#include "core/calibration/formats/kalibr_target.h"

namespace vantage {

namespace {

Result<Board> board_of_caliscope(const std::filesystem::path& path) {
  VANTAGE_ASSIGN(const CaliscopeBoard read, read_caliscope_board(path));
  Board board{read.columns - 1, read.rows - 1, read.square_m};
  board.markers = {read.dictionary, read.marker_m};
  return board;
}

Result<Board> board_of_kalibr(const std::filesystem::path& path) {
  VANTAGE_ASSIGN(const KalibrTarget target, read_kalibr_target(path));
  return target.tags
             ? grid_of_tags(target.columns, target.rows, {"DICT_APRILTAG_36h11", target.side_m, target.gap_m})
             : Board{target.columns, target.rows, target.side_m};
}

}  // namespace

Result<Board> read_board(const std::filesystem::path& path) {
  const Result<Board> board = path.extension() == ".toml" ? board_of_caliscope(path) : board_of_kalibr(path);
  if (board) VANTAGE_TRY(check_board(*board));
  return board;
}

std::string board_options_text(const Board& board, int count) {
  const std::string alike = count > 1 ? formatted(" --boards %d", count) : std::string();
  if (board.tags) {
    const BoardTags& tags = *board.tags;
    std::string text =
        formatted("--columns %d --rows %d --tags %s --tag %.7g --tag-gap %.7g", board.columns / 2,
                  board.rows / 2, tags.dictionary.c_str(), tags.side_m, tags.gap_m);
    if (tags.first_id != 0) text += formatted(" --first-tag %d", tags.first_id);
    return text + alike;
  }
  std::string text =
      formatted("--columns %d --rows %d --square %.7g", board.columns, board.rows, board.square_m);
  if (board.markers)
    text +=
        formatted(" --markers %s --marker %.7g", board.markers->dictionary.c_str(), board.markers->side_m);
  if (board.first_id() != 0) text += formatted(" --first-marker %d", board.first_id());
  return text + alike;
}

}  // namespace vantage
