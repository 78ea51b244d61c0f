// A board as project files and the report of `calibrate boards` have it.
#pragma once

#include <filesystem>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/calibration/solve/board.h"
#include "core/project/project.h"

namespace vantage {

// `columns`, `rows`, `square_m`, with markers `dictionary`, `marker_m` and, not 0, `first_marker`; of a grid
// `tag_columns`, `tag_rows`, `dictionary`, `tag_m`, `tag_gap_m`, `first_tag`.
nlohmann::ordered_json board_json(const Board& board);
// What board_json() writes. Throws json::exception, or what is wrong as a std::string; whether such a board
// can be is check_board()'s.
Board board_from(const nlohmann::json& value);

}  // namespace vantage

namespace vantage::project_detail {

// The boards that a project's cameras are solved by, as the project file has them.

// The project's key "board_calibration"; nothing is written where nothing is stated.
void write_boards(const ProjectBoards& boards, const std::filesystem::path& folder,
                  nlohmann::ordered_json* document);
Status read_boards(const nlohmann::json& document, const std::filesystem::path& file, ProjectBoards* boards);

}  // namespace vantage::project_detail
