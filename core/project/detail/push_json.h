// JSON of message targets, as in project files.
#pragma once

#include <filesystem>

#include "core/base/json.h"
#include "core/project/project.h"

namespace vantage::project_detail {

// The project's key "push"; absent without targets. Paths are relative to `folder`.
void write_push(const Project& project, const std::filesystem::path& folder,
                nlohmann::ordered_json* document);
// Errors (bad_data) state the position after `file`. Unknown keys are errors: what a target sends, and to
// whom, must not be guessed.
Status read_push(const nlohmann::json& document, const std::filesystem::path& file, Project* project);

}  // namespace vantage::project_detail
