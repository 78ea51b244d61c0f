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

// What is said to be done is on the disk: a loss of power behind these calls does not undo it. Where a file
// system cannot sync a folder, the content is complete all the same.

// The file's content, and its name in its folder.
std::error_code sync_file(const std::filesystem::path& path);
// The names in the folder that the path lies in.
void sync_folder_of(const std::filesystem::path& path);
// As std::filesystem::rename(), of files and folders; the new name is kept.
std::error_code rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

// A folder for files that no one needs afterwards: this user's alone, gone with what is in it.

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
