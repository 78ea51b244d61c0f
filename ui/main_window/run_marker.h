// A file for as long as the program runs, so that the next start sees that this one did not end well, and
// with what project. One a process: windows side by side do not mistake each other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/process_owner.h"

namespace vantage::ui {

// A run that neither ended by itself nor was asked to.
struct EarlyEnd {
  std::filesystem::path project;  // the one that was open; empty: none
  bool while_starting = false;    // before the window was there
  bool careful = false;           // it was itself a careful start
  int64_t process = 0;            // 0: not known
  bool asked = false;             // by a signal (a logout): only unsaved changes are of interest
};

class RunMarker {
 public:
  // Takes the markers of runs that are gone: a second start does not report them again. A folder that cannot
  // be written to only means that nothing is remembered.
  explicit RunMarker(std::filesystem::path folder = state_folder() / "running");
  ~RunMarker();
  RunMarker(const RunMarker&) = delete;
  RunMarker& operator=(const RunMarker&) = delete;

  const std::vector<EarlyEnd>& early_ends() const { return early_ends_; }
  // This start is a careful one: the window opens in its first layout, without the project.
  bool careful() const;
  bool ended_while_starting() const;
  bool ended_early_with(const std::filesystem::path& project) const;

  void started();                                          // the window is there
  void set_project(const std::filesystem::path& project);  // the one that is open now; empty: none

  // Signals that ask the program to end (a logout, Ctrl-C) and a display that goes away are no early ends
  // from now on. For the program's only marker.
  void end_as_asked_on_signals() const;

 private:
  void take_over();
  void write() const;

  const std::filesystem::path folder_, file_;
  std::vector<EarlyEnd> early_ends_;
  std::filesystem::path project_;
  bool starting_ = true;
};

}  // namespace vantage::ui
