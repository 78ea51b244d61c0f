// Whole-file reading and atomic writing. User data is never half written: write_file_atomically() writes a
// temporary file next to the target, syncs it and renames it over the target; on failure the old content is
// untouched.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace vantage {

Result<std::string> read_file(const std::filesystem::path& path);
Status write_file_atomically(const std::filesystem::path& path, std::string_view content);
// Creates the folder and its parents.
Status make_folder(const std::filesystem::path& path);

}  // namespace vantage
