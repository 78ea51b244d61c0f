// The boards that a project's cameras are solved by, as the project file has them.
#pragma once

#include <filesystem>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/project/project_boards.h"

namespace vantage::project_detail {

// The project's key "board_calibration"; nothing is written where nothing is stated.
void write_boards(const ProjectBoards& boards, const std::filesystem::path& folder,
                  nlohmann::ordered_json* document);
Status read_boards(const nlohmann::json& document, const std::filesystem::path& file, ProjectBoards* boards);

}  // namespace vantage::project_detail
