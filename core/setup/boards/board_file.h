// Boards as files of other programs and as options of the command line state them.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/calibration/solve/board.h"

namespace vantage {

// Kalibr's target.yaml, whose aprilgrids are of DICT_APRILTAG_36h11, or, of files that end in .toml,
// caliscope's charuco.toml. Errors: those of read_kalibr_target(), read_caliscope_board() and check_board().
Result<Board> read_board(const std::filesystem::path& path);

// "--columns 9 --rows 6 --square 0.08": with which `calibrate boards` solves by this board, or by so many
// alike (boards_alike()).
std::string board_options_text(const Board& board, int count = 1);

}  // namespace vantage
