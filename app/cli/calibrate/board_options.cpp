#include "app/cli/calibrate/board_options.h"

#include "app/cli/common/command.h"
#include "core/setup/boards/project_boards.h"

namespace vantage::cli {

void add_board_options(CLI::App& app, BoardOptions* options) {
  CLI::Option* columns = app.add_option(
      "--columns", options->columns,
      "inner corners along one side of the board, the longer one if they differ; for a grid, tags in a row");
  CLI::Option* rows = app.add_option("--rows", options->rows,
                                     "inner corners along the other side; for a grid, tags in a column");
  CLI::Option* square = app.add_option("--square", options->square_m, "side of a square (m)");
  CLI::Option* markers =
      app.add_option("--markers", options->markers,
                     "dictionary of the markers in a board's light squares (ChArUco), such as DICT_4X4_50");
  CLI::Option* marker = app.add_option("--marker", options->marker_m, "side of a marker (m)");
  CLI::Option* tags = app.add_option("--tags", options->tags,
                                     "dictionary of a grid of AprilTags or ArUco markers with gaps between "
                                     "them, such as DICT_APRILTAG_36h11");
  CLI::Option* tag = app.add_option("--tag", options->tag_m, "side of a tag with its black border (m)");
  CLI::Option* gap = app.add_option("--tag-gap", options->tag_gap_m, "gap between two tags (m)");
  CLI::Option* first =
      app.add_option("--first-tag", options->first_tag, "lowest identity of a tag; 0 if absent");
  CLI::Option* first_marker =
      app.add_option("--first-marker", options->first_marker, "lowest identity of a marker; 0 if absent");
  CLI::Option* boards = app.add_option("--boards", options->boards,
                                       "number of boards of this kind. Identities continue from one board to "
                                       "the next; the boards are rigidly connected or do not move")
                            ->check(CLI::Range(1, 100));
  CLI::Option* described =
      app.add_option("--board", options->described,
                     "the board as a file, Kalibr's target.yaml or caliscope's charuco.toml, or as the "
                     "options above in quotes; may be repeated, for boards that differ")
          ->allow_extra_args(false);
  columns->needs(rows), rows->needs(columns);
  markers->needs(marker), marker->needs(markers), markers->needs(square);
  tags->needs(tag)->needs(gap)->needs(columns), tag->needs(tags), gap->needs(tags), first->needs(tags);
  first_marker->needs(markers), boards->needs(columns);
  tags->excludes(square)->excludes(markers);
  for (CLI::Option* option :
       {columns, rows, square, markers, marker, tags, tag, gap, first, first_marker, boards})
    described->excludes(option);
}

namespace {

Board stated_board(const BoardOptions& options) {
  if (options.columns == 0 && options.rows == 0)
    throw CLI::ValidationError("--columns",
                               "describe the board: --columns, --rows and --square; --tags; or --board");
  Board board{options.columns, options.rows, options.square_m};
  if (!options.tags.empty())
    board = grid_of_tags(options.columns, options.rows,
                         {options.tags, options.tag_m, options.tag_gap_m, options.first_tag});
  else if (options.square_m == 0)
    throw CLI::ValidationError("--square", "give the side of a square in metres, or --tags");
  if (!options.markers.empty()) board.markers = {options.markers, options.marker_m, options.first_marker};
  return board;
}

std::vector<Board> described_boards(const std::string& text) {
  if (!text.starts_with("--")) return {value_or_fail(read_board(text))};
  CLI::App app;
  BoardOptions options;
  add_board_options(app, &options);
  try {
    app.parse(text);
  } catch (const CLI::ParseError& error) {
    throw CLI::ValidationError("--board", "'" + text + "': " + error.what());
  }
  return boards_of(options);
}

}  // namespace

std::vector<Board> boards_of(const BoardOptions& options) {
  std::vector<Board> boards;
  for (const std::string& text : options.described)
    for (const Board& board : described_boards(text)) boards.push_back(board);
  if (options.described.empty()) boards = boards_alike(stated_board(options), options.boards);
  check_or_fail(check_boards(boards));
  return boards;
}

}  // namespace vantage::cli
