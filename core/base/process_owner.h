// Which process has something, so that others can tell whether it still runs: of a project's lock and of the
// markers of windows. A process number alone does not tell: it is given again, and a restart gives all again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace vantage {

struct ProcessOwner {
  std::string user, host, program;  // "anna", "lab3", "vantage"; for people
  std::string boot;                 // identifies the machine's present run; empty: not known
  std::string process_space;        // identifies the set of process numbers (containers have their own)
  int64_t process = 0;
  int64_t started_ticks = 0;  // of the process, since the machine's start
  int64_t since_utc_s = 0;    // Unix time at which it took what it has
  bool operator==(const ProcessOwner&) const = default;
};

// This process, since now.
ProcessOwner this_process();

enum class OwnerState {
  self,     // it is this process
  running,  // it is another one of this machine
  gone,     // it has ended, or the machine was restarted
  unknown   // it is on another machine or in another container
};
OwnerState state_of(const ProcessOwner& owner);

// "anna's vantage (process 4711) on lab3"
std::string owner_text(const ProcessOwner& owner);

// One line of JSON; nothing where the text is no such line.
std::string owner_to_json(const ProcessOwner& owner);
std::optional<ProcessOwner> owner_from_json(std::string_view text);

// The folder of the program's own state: $XDG_STATE_HOME/vantage, else ~/.local/state/vantage.
std::filesystem::path state_folder();
// The folder of what the user keeps for the program: $XDG_CONFIG_HOME/vantage, else ~/.config/vantage.
std::filesystem::path config_folder();

// Keeps other programs that take it out of a file while it is read, changed and replaced. The lock is the
// folder's, as the file itself is replaced. Where a file system knows no such locks the time between reading
// and replacing is as short, but not guarded.

class FolderLock {
 public:
  // Locks the folder that `file` lies in; waits for it.
  explicit FolderLock(const std::filesystem::path& file);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int folder_;  // -1: nothing is locked
};

}  // namespace vantage
