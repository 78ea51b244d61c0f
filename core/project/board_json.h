// JSON of a board, as in project files and the report of `calibrate boards`.
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
// Reads what board_json() writes; check_board() judges the values. Throws json::exception, or a std::string
// with what is wrong.
Board board_from(const nlohmann::json& value);

}  // namespace vantage

namespace vantage::project_detail {

// The boards that a project's cameras are solved by, as in project files.

// The project's key "board_calibration"; absent for default values.
void write_boards(const ProjectBoards& boards, const std::filesystem::path& folder,
                  nlohmann::ordered_json* document);
Status read_boards(const nlohmann::json& document, const std::filesystem::path& file, ProjectBoards* boards);

}  // namespace vantage::project_detail
