// What a search and a solution found of each board, in words.
#pragma once

#include "core/setup/boards/project_boards.h"
#include "ui/main_window/boards/board_list.h"

namespace vantage::ui {

// One result a board. `solution`: null where it was not, or could not be, solved.
std::vector<BoardResult> board_results(const std::vector<BoardSightings>& seen,
                                       const BoardsSolution* solution);

}  // namespace vantage::ui
