// Targets of messages, as the project file has them.
#pragma once

#include <filesystem>

#include "core/base/json.h"
#include "core/project/project.h"

namespace vantage::project_detail {

// The project's key "push"; absent where there are none. Paths relative to `folder`.
void write_push(const Project& project, const std::filesystem::path& folder,
                nlohmann::ordered_json* document);
// Errors (bad_data) name the position after `file`. A key that is not understood is one: what a target sends,
// and to whom, is not guessed.
Status read_push(const nlohmann::json& document, const std::filesystem::path& file, Project* project);

}  // namespace vantage::project_detail
