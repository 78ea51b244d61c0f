// The board, as options of the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "core/calibrate/board.h"

namespace vantage::cli {

struct BoardOptions {
  int columns = 0, rows = 0;
  double square_m = 0, marker_m = 0, tag_m = 0, tag_gap_m = 0;
  int first_tag = 0;
  std::string markers, tags, file;
};

void add_board_options(CLI::App& app, BoardOptions* options);
// Wrong usage throws, as does a board that check_board() refuses.
Board board_of(const BoardOptions& options);

}  // namespace vantage::cli
