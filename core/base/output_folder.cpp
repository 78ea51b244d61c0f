#include "core/base/output_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "core/base/file.h"

namespace vantage {
namespace fs = std::filesystem;
namespace {

constexpr size_t kRandomLetters = 6;  // of mkdtemp

// Its descriptor; -1 where it is in use or being removed, -2 where the file system cannot say.
constexpr int kTaken = -1, kUnknown = -2;
int locked(const fs::path& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return errno == ENOENT ? kTaken : kUnknown;
  if (::flock(opened, LOCK_EX | LOCK_NB) == 0) return opened;
  const bool taken = errno == EWOULDBLOCK;
  ::close(opened);
  return taken ? kTaken : kUnknown;
}

bool holds_something(const fs::path& path) {
  std::error_code code;
  return fs::exists(path, code) && !(fs::is_directory(path, code) && fs::is_empty(path, code));
}

Status check_new(const fs::path& target) {
  if (!holds_something(target)) return {};
  return fail(ErrorKind::invalid_argument, "is there already", target.string(),
              "Give a folder that is not there yet: nothing is overwritten.");
}

}  // namespace

Result<OutputFolder> OutputFolder::make_new(const fs::path& target) {
  VANTAGE_TRY(check_new(target));
  VANTAGE_ASSIGN(OutputFolder folder, make(target));
  folder.only_new_ = true;
  return folder;
}

Result<OutputFolder> OutputFolder::make(const fs::path& target) {
  std::error_code code;
  OutputFolder folder;
  folder.target_ = fs::absolute(target, code).lexically_normal();
  if (!folder.target_.has_filename()) folder.target_ = folder.target_.parent_path();  // "DIR/"
  if (Status made = make_folder(folder.target_.parent_path()); !made) {
    made.error().where = folder.target_.string();
    return fail(made.error());
  }
  folder.remove_abandoned();
  const std::string pattern =
      (folder.target_.parent_path() / ("." + folder.target_.filename().string() + ".XXXXXX")).string();
  // Another program may take a folder that is not locked yet for an abandoned one.
  while (folder.staging_.empty() || folder.lock_ == kTaken || !fs::exists(folder.staging_, code)) {
    if (folder.lock_ >= 0) ::close(folder.lock_);
    std::string made = pattern;
    if (!::mkdtemp(made.data()))
      return fail(ErrorKind::io, std::string("the folder cannot be written (") + std::strerror(errno) + ")",
                  folder.target_.parent_path().string(), "Choose a folder that you can write to.");
    folder.staging_ = made;
    folder.lock_ = locked(folder.staging_);
  }
  // mkdtemp makes it private; what is published is as readable as the user's other folders.
  fs::permissions(folder.staging_,
                  fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                      fs::perms::others_read | fs::perms::others_exec,
                  code);
  return folder;
}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : target_(std::move(other.target_)),
      staging_(std::exchange(other.staging_, {})),
      only_new_(other.only_new_),
      lock_(std::exchange(other.lock_, -1)) {}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

void OutputFolder::remove_abandoned() const {
  const std::string prefix = "." + target_.filename().string() + ".";
  std::error_code ignored;
  for (fs::directory_iterator at(target_.parent_path(), ignored), end; at != end; at.increment(ignored)) {
    const fs::path path = at->path();
    const std::string name = path.filename().string();
    if (!name.starts_with(prefix) || name.size() != prefix.size() + kRandomLetters) continue;
    if (at->is_symlink(ignored) || !at->is_directory(ignored)) continue;
    const int lock = locked(path);
    if (lock < 0) continue;
    fs::remove_all(path, ignored);
    ::close(lock);
  }
}

Status OutputFolder::move(const fs::path& from, const fs::path& to) {
  std::error_code code;
  if (fs::is_directory(to, code)) fs::remove_all(to, code);
  code = rename_durably(from, to);
  if (!code) return {};
  return fail(ErrorKind::io, "it cannot be moved into place (" + code.message() + ")", to.string(),
              "Check the folder and its permissions.");
}

Status OutputFolder::publish(std::string_view last) {
  std::error_code code;
  if (only_new_) VANTAGE_TRY(check_new(target_));
  if (!holds_something(target_)) {
    code = rename_durably(staging_, target_);  // also over an empty folder
    if (code)
      return fail(ErrorKind::io, "it cannot be moved into place (" + code.message() + ")", target_.string(),
                  "Check the folder and its permissions.");
    staging_.clear();
    return {};
  }
  if (!last.empty()) fs::remove(target_ / last, code);
  std::vector<fs::path> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(staging_, code))
    names.push_back(entry.path().filename());
  for (const fs::path& name : names)
    if (name != last) VANTAGE_TRY(move(staging_ / name, target_ / name));
  if (!last.empty()) VANTAGE_TRY(move(staging_ / last, target_ / last));
  fs::remove_all(staging_, code);
  staging_.clear();
  return {};
}

}  // namespace vantage
