#include "core/base/temporary_folder.h"

#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

namespace vantage {

Result<TemporaryFolder> TemporaryFolder::make(std::string_view name) {
  std::error_code none;
  std::string path = (std::filesystem::temp_directory_path(none) / (std::string(name) + "-XXXXXX")).string();
  if (!::mkdtemp(path.data()))
    return fail(ErrorKind::io, "no temporary folder can be made", path,
                "Set TMPDIR to a folder that can be written.");
  return TemporaryFolder(path);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code none;
  if (!path_.empty()) std::filesystem::remove_all(path_, none);
}

}  // namespace vantage
