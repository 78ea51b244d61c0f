#include "core/project/project_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "core/base/file.h"
#include "core/base/log.h"

namespace vantage {
namespace {

std::optional<ProcessOwner> read_owner(const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file);
  return text ? owner_from_json(*text) : std::nullopt;
}

// Removes a stale lock, but never one that another program took just now: the name goes to exactly one of
// those who find it stale.
void put_stale_away(const std::filesystem::path& file) {
  const std::filesystem::path aside = file.string() + "." + std::to_string(::getpid());
  std::error_code failed;
  std::filesystem::rename(file, aside, failed);
  if (failed) return;
  const std::optional<ProcessOwner> owner = read_owner(aside);
  if (owner && state_of(*owner) != OwnerState::gone && ::link(aside.c_str(), file.c_str()) == 0)
    log_warning(file.string() + " was taken by another program just now");
  std::filesystem::remove(aside, failed);
}

// False: there is one already, or none can be made there.
bool create(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path whole = file.string() + ".new-" + std::to_string(::getpid());
  if (!write_file_atomically(whole, text)) return false;
  const bool made = ::link(whole.c_str(), file.c_str()) == 0;  // whole from the first instant, and only once
  std::error_code ignored;
  std::filesystem::remove(whole, ignored);
  return made;
}

}  // namespace

std::filesystem::path lock_path(const std::filesystem::path& project) {
  return project.string() + ".lock";
}

std::optional<ProcessOwner> held_by_other(const std::filesystem::path& project) {
  const std::optional<ProcessOwner> owner = read_owner(lock_path(project));
  if (!owner) return std::nullopt;
  const OwnerState state = state_of(*owner);
  return state == OwnerState::running || state == OwnerState::unknown ? owner : std::nullopt;
}

ProjectLock::ProjectLock(ProjectLock&& other) noexcept {
  *this = std::move(other);
}

ProjectLock& ProjectLock::operator=(ProjectLock&& other) noexcept {
  if (this == &other) return *this;
  release();
  project_ = std::exchange(other.project_, {});
  owner_ = other.owner_;
  written_ = std::exchange(other.written_, false);
  return *this;
}

ProjectLock ProjectLock::take(const std::filesystem::path& project) {
  ProjectLock lock;
  lock.project_ = project;
  lock.owner_ = this_process();
  if (held_by_other(project)) return lock;
  const std::filesystem::path file = lock_path(project);
  std::error_code none;
  // Ours of an earlier opening, of a process that is gone, or damaged: of no one.
  if (std::filesystem::exists(file, none)) put_stale_away(file);
  lock.written_ = create(file, owner_to_json(lock.owner_));
  return lock;
}

ProjectLock ProjectLock::take_over(const std::filesystem::path& project) {
  ProjectLock lock;
  lock.project_ = project;
  lock.owner_ = this_process();
  lock.written_ = write_file_atomically(lock_path(project), owner_to_json(lock.owner_)).has_value();
  return lock;
}

std::optional<ProcessOwner> ProjectLock::held() const {
  return project_.empty() ? std::nullopt : held_by_other(project_);
}

void ProjectLock::release() {
  if (std::exchange(written_, false) && read_owner(lock_path(project_)) == owner_) {
    std::error_code ignored;
    std::filesystem::remove(lock_path(project_), ignored);
  }
  project_.clear();
}

}  // namespace vantage
