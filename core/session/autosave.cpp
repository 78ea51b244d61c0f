#include "core/session/autosave.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "core/base/process_owner.h"

namespace vantage {

std::filesystem::path autosave_path(const std::filesystem::path& project) {
  const std::filesystem::path folder = project.parent_path();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0) return project.string() + ".autosave";
  std::error_code ignored;
  std::filesystem::create_directories(state_folder(), ignored);
  Hasher hasher;
  hasher.add(std::string_view(project.native()));
  return state_folder() / (project.stem().string() + "-" + hex64(hasher.value()) + ".autosave");
}

int64_t modified_s(const std::filesystem::path& file) {
  struct stat facts = {};
  return ::stat(file.c_str(), &facts) == 0 ? facts.st_mtime : 0;
}

}  // namespace vantage
