// What is said to be done is on the disk: a loss of power behind these calls does not undo it. Where a file
// system cannot sync a folder, the content is complete all the same.
#pragma once

#include <filesystem>
#include <system_error>

namespace vantage {

// The file's content, and its name in its folder.
std::error_code sync_file(const std::filesystem::path& path);
// The names in the folder that the path lies in.
void sync_folder_of(const std::filesystem::path& path);
// As std::filesystem::rename(), of files and folders; the new name is kept.
std::error_code rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace vantage
