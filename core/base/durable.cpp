#include "core/base/durable.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace vantage {
namespace {

std::error_code sync(const std::filesystem::path& path, int flags) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
  if (fd < 0) return {errno, std::generic_category()};
  const int code = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  return {code, std::generic_category()};
}

}  // namespace

std::error_code sync_file(const std::filesystem::path& path) {
  const std::error_code code = sync(path, 0);
  sync_folder_of(path);
  return code;
}

void sync_folder_of(const std::filesystem::path& path) {
  static_cast<void>(sync(path.has_parent_path() ? path.parent_path() : ".", O_DIRECTORY));
}

std::error_code rename_durably(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code code;
  std::filesystem::rename(from, to, code);
  if (code) return code;
  sync_folder_of(to);
  if (from.parent_path() != to.parent_path()) sync_folder_of(from);
  return {};
}

}  // namespace vantage
