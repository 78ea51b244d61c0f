// Writes a project file that others may have changed since it was read, without overwriting newer contents
// unseen. Every writer of a file that was read goes through here; save_project() is only for new files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/base/process_owner.h"
#include "core/base/result.h"
#include "core/project/project.h"

namespace vantage {

// A stamp of the file's content. 0: there is no file.
uint64_t project_stamp(const std::filesystem::path& path);

enum class Saved : uint8_t {
  written,
  changed_outside,  // nothing was written: the file no longer has the stamp `known`
};
// Writes the project if the file still has that stamp; `known` becomes the new one.
Result<Saved> save_project_over(const Project& project, const std::filesystem::path& path, uint64_t* known);

// Reads, changes and writes the project, without changes by others in between. Nothing is written where
// `change` fails. Returns the project as written.
Result<Project> change_project_file(const std::filesystem::path& path,
                                    const std::function<Status(Project&)>& change);

// The differences as text: "cam2's video, zones, the parameters of carving"; empty: none.
std::string difference_text(const Project& a, const Project& b);

// The lock of an open project: NAME.vantage.lock next to it, with user, host, process, program and time
// (core/base/process_owner.h). It exists while the project is open for editing; that of a process that is
// gone is ignored. It informs people and does not prevent writing the file: project_store.h prevents
// overwriting a newer file.

std::filesystem::path lock_path(const std::filesystem::path& project);
// The other owner, in a process that runs or cannot be checked from here; nothing: no one, or we.
std::optional<ProcessOwner> held_by_other(const std::filesystem::path& project);

class ProjectLock {
 public:
  ProjectLock() = default;  // locks no project
  ~ProjectLock() { release(); }
  ProjectLock(ProjectLock&& other) noexcept;
  ProjectLock& operator=(ProjectLock&& other) noexcept;

  // Takes the lock; held() states another owner. In a folder that is not writable no one can save, so nothing
  // is locked and this is not an error.
  static ProjectLock take(const std::filesystem::path& project);
  // Takes the lock from any owner.
  static ProjectLock take_over(const std::filesystem::path& project);

  // The present owner if not us, read again: another owner may have replaced us after take(). Nothing: we
  // have it.
  std::optional<ProcessOwner> held() const;
  void release();  // removes the file if it is still ours

 private:
  std::filesystem::path project_;  // empty: of no project
  ProcessOwner owner_;             // as written by us
  bool written_ = false;
};

}  // namespace vantage
