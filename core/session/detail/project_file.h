// The open project compared with its file: its owner, unsaved changes, changes of others in the file, and the
// autosave of unsaved changes (autosave.h).
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
  // Called with a project just read from a file of that stamp. Takes the lock if it is free, and examines an
  // autosave left by an earlier program.
  void opened(const Project& project, uint64_t stamp);
  // Sets the open project.
  void compare(const Project& project) { unsaved_ = !on_disk_ || difference(project, *on_disk_).any(); }

  enum class Over : uint8_t { what_was_read, anything };
  // Writes the project to the path and sets its `path`; on failure both the project and the autosave are
  // unchanged. Refused where another program has that file open.
  Result<Saved> save(Project& project, const std::filesystem::path& path, Over over);

  // Cameras that have other names in `changed` are renamed in the file at once, with their files next to it:
  // these are found by name. The file's other contents stay. Errors: those of rename_cameras_on_disk(); io
  // where another program has that file open or has changed it.
  Status keep_names(const Project& changed);

  // Checks whether another program has written or closed the file.
  void look(const Project& project);
  // Reads the file's present contents, for took().
  Result<Project> read_again();
  void took(const Project& there);  // the contents from read_again() are now part of the open project
  void take_over();                 // takes the lock from its owner

  // Updates the autosave: it exists while something is unsaved. Does nothing for a project that was never
  // saved, or that another program has open.
  void autosave(const Project& project);
  // The user left with unsaved changes after a question, so they are dropped, unless saving them failed.
  void leave(const Project& project);
  void forget() { *this = {}; }  // it could not be opened

  bool unsaved() const { return unsaved_; }
  int64_t recoverable_s() const { return recoverable_ ? recoverable_s_ : 0; }  // Unix time; 0: nothing
  // Reads the autosave of an earlier program; from now on that file is ours.
  std::optional<Project> take_recoverable();
  const std::optional<ProcessOwner>& held_by() const { return held_by_; }  // nothing: it is ours
  const std::string& changed_outside() const { return changed_outside_; }  // as text; empty: nothing

 private:
  void drop_autosave(const Project& project);
  void wrote(const Project& project);

  std::optional<Project> on_disk_;  // the file's contents; nothing: never saved
  uint64_t stamp_ = 0;              // stamp of these contents
  uint64_t read_stamp_ = 0;         // stamp of the contents from read_again()
  uint64_t seen_ = 0;               // the file's size and time when it was last examined
  std::string changed_outside_;
  ProjectLock lock_;
  std::optional<ProcessOwner> held_by_;
  bool unsaved_ = false;
  std::optional<Project> recoverable_;
  int64_t recoverable_s_ = 0;  // when it was written, Unix time
  bool save_failed_ = false;
  bool autosaved_ = false;  // the existing file is ours
};

}  // namespace vantage
