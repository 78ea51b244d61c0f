// The lock of an open project: NAME.vantage.lock next to it, with user, host, process, program and time
// (core/base/process_owner.h). It is there as long as the project is open for editing; one of a process that
// is gone counts for nothing. It tells people apart, it does not keep anybody from writing the file: that a
// newer file is not wiped out is project_store.h's part.
#pragma once

#include <filesystem>
#include <optional>

#include "core/base/process_owner.h"
#include "core/base/result.h"

namespace vantage {

std::filesystem::path lock_path(const std::filesystem::path& project);
// The other owner, in a process that runs or of which no one here can tell; empty: no one, or we.
std::optional<ProcessOwner> held_by_other(const std::filesystem::path& project);

class ProjectLock {
 public:
  ProjectLock() = default;  // of nothing
  ~ProjectLock() { release(); }
  ProjectLock(ProjectLock&& other) noexcept;
  ProjectLock& operator=(ProjectLock&& other) noexcept;

  // Ours from now on, unless held() then says that another owner has it. In a folder that cannot be written
  // to, no one can save either: nothing is locked, and nothing is wrong.
  static ProjectLock take(const std::filesystem::path& project);
  // No matter who has it.
  static ProjectLock take_over(const std::filesystem::path& project);

  // The owner instead of us, looked up now: after take(), or because another owner replaced us. Empty: we
  // have it.
  std::optional<ProcessOwner> held() const;
  void release();  // the file goes, if it is still ours

 private:
  std::filesystem::path project_;  // empty: of nothing
  ProcessOwner owner_;             // as we wrote it
  bool written_ = false;
};

}  // namespace vantage
