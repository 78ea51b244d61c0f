// How several boards stand to each other, in the reports of calibrate boards.
#pragma once

#include "core/base/json.h"
#include "core/calibration/solve/board_solve.h"
#include "core/project/board_json.h"

namespace vantage::cli {

// How one of several boards stands to the world's.
nlohmann::ordered_json place_json(const Board& board, const BoardPlace& place);
// Nothing of one board alone.
void print_board_places(const BoardsSolution& solution);

}  // namespace vantage::cli
