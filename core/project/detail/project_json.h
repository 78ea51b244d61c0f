// Conversion between a Project and its JSON text, without access to the disk.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/project/project.h"

namespace vantage::project_detail {

inline constexpr int kSchemaVersion = 1;
inline constexpr std::string_view kSchemaPrefix = "vantage-project-";

// `file`: origin of the text, against whose folder relative paths are resolved. `warnings` gets one line for
// every unknown key.
Result<Project> from_json(const std::string& text, const std::filesystem::path& file,
                          std::vector<std::string>* warnings);

// Paths are written relative to the folder of `file` where that is possible.
Result<std::string> to_json(const Project& project, const std::filesystem::path& file);

}  // namespace vantage::project_detail
