#include "core/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace vantage {
namespace {

tl::unexpected<Error> io_error(const std::string& action, const std::filesystem::path& path, int code) {
  std::string remedy = "Check that the folder exists and can be written.";
  if (code == ENOSPC) remedy = "The disk is full: free some space or choose another folder.";
  if (code == EACCES || code == EROFS) remedy = "Choose a folder you can write to.";
  return fail(ErrorKind::io, action + " failed (" + std::strerror(code) + ")", path.string(), remedy);
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code))
    return fail(ErrorKind::not_found, "no such file", path.string(), "Check the path.");
  if (std::filesystem::is_directory(path, code))
    return fail(ErrorKind::io, "is a folder, not a file", path.string());
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  if (!in || !(content << in.rdbuf())) {
    if (in && in.peek() == std::char_traits<char>::eof()) return std::string{};  // an empty file
    return fail(ErrorKind::io, "reading failed", path.string(), "Check that you have permission to read it.");
  }
  return std::move(content).str();
}

Status write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  std::string temporary = path.string() + ".XXXXXX";
  const int fd = ::mkstemp(temporary.data());
  if (fd < 0) return io_error("writing a file next to it", path, errno);
  int code = 0;
  for (size_t done = 0; done < content.size();) {
    const ssize_t written = ::write(fd, content.data() + done, content.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      code = written < 0 ? errno : ENOSPC;
      break;
    }
    done += static_cast<size_t>(written);
  }
  if (code == 0) {
    // mkstemp makes the file private; results are meant to be as readable as the user's other files.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(fd, 0666 & ~mask);
    if (::fsync(fd) != 0) code = errno;
  }
  if (::close(fd) != 0 && code == 0) code = errno;
  if (code == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) code = errno;
  if (code != 0) {
    ::unlink(temporary.c_str());
    return io_error("writing", path, code);
  }
  sync_folder_of(path);
  return {};
}

Status make_folder(const std::filesystem::path& path) {
  std::error_code code;
  std::vector<std::filesystem::path> made;
  for (auto one = path; !one.empty() && !std::filesystem::exists(one, code); one = one.parent_path())
    made.push_back(one);
  std::filesystem::create_directories(path, code);
  if (code) return io_error("creating the folder", path, code.value());
  for (const std::filesystem::path& one : made) sync_folder_of(one);
  return {};
}

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
