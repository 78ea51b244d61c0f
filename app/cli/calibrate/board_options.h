// Command-line options for one or several boards.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/calibration/solve/board.h"

namespace vantage::cli {

struct BoardOptions {
  int columns = 0, rows = 0, boards = 1;
  double square_m = 0, marker_m = 0, tag_m = 0, tag_gap_m = 0;
  int first_tag = 0, first_marker = 0;
  std::string markers, tags;
  std::vector<std::string> described;  // each a file, or these options as one text
};

void add_board_options(CLI::App& app, BoardOptions* options);
// At least one; several are distinguished by their markers. Throws for wrong usage and for boards that
// check_boards() refuses.
std::vector<Board> boards_of(const BoardOptions& options);

}  // namespace vantage::cli
