// Writing a project file that others may have written since: nothing newer is wiped out unseen. Every writer
// of a file that was read before goes through here; save_project() alone is for files that are new.
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
  changed_outside,  // nothing was written: the file is not the one that `known` tells of
};
// Writes the project if the file is still the one of that stamp; `known` is then the new one's.
Result<Saved> save_project_over(const Project& project, const std::filesystem::path& path, uint64_t* known);

// Reads the project, changes it and writes it, with no one else's change in between. Nothing is written where
// `change` fails. Returns the project as it is now in the file.
Result<Project> change_project_file(const std::filesystem::path& path,
                                    const std::function<Status(Project&)>& change);

// The difference, in words: "cam2's video, zones, the parameters of carving"; empty: nothing.
std::string difference_text(const Project& a, const Project& b);

// The lock of an open project: NAME.vantage.lock next to it, with user, host, process, program and time
// (core/base/process_owner.h). It is there as long as the project is open for editing; one of a process that
// is gone counts for nothing. It tells people apart, it does not keep anybody from writing the file: that a
// newer file is not wiped out is project_store.h's part.

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
