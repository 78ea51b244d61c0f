// The open project beside its file: whether it holds unsaved changes, and the autosave kept for them
// (autosave.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/base/result.h"
#include "core/project/project.h"

namespace vantage {

class ProjectFile {
 public:
  // `project` was just read from its file. An autosave that an earlier program left there is looked at.
  void opened(const Project& project);
  // The open project is now this one.
  void compare(const Project& project) { unsaved_ = !on_disk_ || difference(project, *on_disk_).any(); }

  // Writes the project to the path and sets its `path`; on failure the project stays and so does the
  // autosave.
  Status save(Project& project, const std::filesystem::path& path);

  // Brings the autosave into line: there while something is unsaved, gone otherwise. Does nothing for a
  // project that was never saved.
  void autosave(const Project& project);
  // Leaving with unsaved changes was asked about, so they are not wanted; unless saving them has failed.
  void leave(const Project& project);

  bool unsaved() const { return unsaved_; }
  int64_t recoverable_s() const { return recoverable_ ? recoverable_s_ : 0; }  // Unix time; 0: nothing
  // What the autosave of an earlier program holds; from now on that file is ours.
  std::optional<Project> take_recoverable();

 private:
  void drop_autosave(const Project& project);

  std::optional<Project> on_disk_;  // as the file holds it; nothing: never saved
  bool unsaved_ = false;
  std::optional<Project> recoverable_;
  int64_t recoverable_s_ = 0;  // when it was written, Unix time
  bool save_failed_ = false;
  bool autosaved_ = false;  // the file that is there now is ours
};

}  // namespace vantage
