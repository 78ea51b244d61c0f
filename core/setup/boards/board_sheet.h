// A board on paper: a page of PDF at true size, with a ruler that shows whether the printer kept it, and the
// options of the command line that solve by this board.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/calibration/solve/board.h"

namespace vantage {

struct Paper {
  double width_mm = 0, height_mm = 0;
};

// "A0" to "A5", "letter", "legal", "tabloid", in any case, or "WIDTHxHEIGHTmm". Errors: invalid_argument.
Result<Paper> paper_named(const std::string& name);

// The board in the middle, on white, with a margin that detectors need; turned along the paper's longer side
// where only that fits. The same call gives the same bytes. Errors: those of draw_board(); invalid_argument
// where the board does not fit, with the room that there is.
Result<std::string> board_sheet_pdf(const Board& board, TagStyle style, const Paper& paper);
// A page for each of boards_alike(first, count).
Result<std::string> board_sheets_pdf(const Board& first, int count, TagStyle style, const Paper& paper);
// The first of these papers on which the board fits, smallest first. Errors: as above, of the last one.
Result<std::string> fitting_paper(const Board& board, TagStyle style, const std::vector<std::string>& papers);

}  // namespace vantage
