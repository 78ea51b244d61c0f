// A folder for files that no one needs afterwards: this user's alone, gone with what is in it.
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

#include "core/base/result.h"

namespace vantage {

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
