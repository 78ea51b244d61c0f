// Whole-file reading and atomic writing. User data is never half written: write_file_atomically() writes a
// temporary file next to the target, syncs it and renames it over the target; on failure the old content is
// untouched.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/result.h"

namespace vantage {

Result<std::string> read_file(const std::filesystem::path& path);
Status write_file_atomically(const std::filesystem::path& path, std::string_view content);
// Creates the folder and its parents.
Status make_folder(const std::filesystem::path& path);

// Durable operations: once they return, a loss of power does not undo them. Where a file system cannot sync a
// folder, the content is complete all the same.

// Syncs the file's content, and its name in its folder.
std::error_code sync_file(const std::filesystem::path& path);
// Syncs the names in the folder of the path.
void sync_folder_of(const std::filesystem::path& path);
// As std::filesystem::rename(), of files and folders; the new name is kept.
std::error_code rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

// A folder for temporary files: this user's alone, removed with its content.

class TemporaryFolder {
 public:
  // Among the machine's temporary files; `name` begins its name. Errors: io.
  static Result<TemporaryFolder> make(std::string_view name);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;  // empty: moved from
};

}  // namespace vantage
