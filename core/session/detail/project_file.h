// The open project compared with its file: who has it, whether it holds unsaved changes, what others have
// written into the file meanwhile, and the autosave kept for what is unsaved (autosave.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/project/project.h"
#include "core/project/project_store.h"

namespace vantage {

class ProjectFile {
 public:
  // `project` was just read from its file, which had that stamp. Takes the lock where no one else has it. An
  // autosave that an earlier program left there is examined.
  void opened(const Project& project, uint64_t stamp);
  // The open project is now this one.
  void compare(const Project& project) { unsaved_ = !on_disk_ || difference(project, *on_disk_).any(); }

  enum class Over : uint8_t { what_was_read, anything };
  // Writes the project to the path and sets its `path`; otherwise the project stays and so does the autosave.
  // Refused where another program has that file.
  Result<Saved> save(Project& project, const std::filesystem::path& path, Over over);

  // Checks whether another program has written the file or closed it.
  void look(const Project& project);
  // Reads the file's present content, for took().
  Result<Project> read_again();
  void took(const Project& there);  // what read_again() gave is part of the open project
  void take_over();                 // the lock from who has it

  // Brings the autosave into line: there while something is unsaved, gone otherwise. Does nothing for a
  // project that was never saved, or that another program has.
  void autosave(const Project& project);
  // Leaving with unsaved changes was asked about, so they are not wanted; unless saving them has failed.
  void leave(const Project& project);
  void forget() { *this = {}; }  // it could not be opened

  bool unsaved() const { return unsaved_; }
  int64_t recoverable_s() const { return recoverable_ ? recoverable_s_ : 0; }  // Unix time; 0: nothing
  // Reads the autosave of an earlier program; from now on that file is ours.
  std::optional<Project> take_recoverable();
  const std::optional<ProcessOwner>& held_by() const { return held_by_; }  // nothing: it is ours
  const std::string& changed_outside() const { return changed_outside_; }  // in words; empty: nothing

 private:
  void drop_autosave(const Project& project);
  void wrote(const Project& project);

  std::optional<Project> on_disk_;  // as the file held it; nothing: never saved
  uint64_t stamp_ = 0;              // of the file then
  uint64_t read_stamp_ = 0;         // of what read_again() gave
  uint64_t seen_ = 0;               // the file's size and time when it was last examined
  std::string changed_outside_;
  ProjectLock lock_;
  std::optional<ProcessOwner> held_by_;
  bool unsaved_ = false;
  std::optional<Project> recoverable_;
  int64_t recoverable_s_ = 0;  // when it was written, Unix time
  bool save_failed_ = false;
  bool autosaved_ = false;  // the file that is there now is ours
};

}  // namespace vantage
