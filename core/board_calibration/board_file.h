// Boards as files of other programs and as options of the command line state them.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/calibrate/board.h"

namespace vantage {

// Kalibr's target.yaml; its aprilgrids are of DICT_APRILTAG_36h11. Errors: those of read_kalibr_target() and
// check_board().
Result<Board> read_board(const std::filesystem::path& path);

// "--columns 9 --rows 6 --square 0.08": with which `calibrate boards` solves by this board, or by so many
// alike (boards_alike()).
std::string board_options_text(const Board& board, int count = 1);

}  // namespace vantage
