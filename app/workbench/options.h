// Options of vantage's command line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vantage {

struct WorkbenchOptions {
  // Opened at the start: a project, or videos and calibrations of a new one; empty: the start page.
  std::vector<std::string> files;
  std::string backend;  // auto, cpu or cuda; empty: as preferred
  std::string demo;     // a project, or the folder it is in: opened, played, analysed
  std::filesystem::path
      screenshot;  // a picture of the window, written after some seconds; then the program ends
  double after_s = 5;
  int width_px = 0, height_px = 0;  // of the window; 0: as last time
  std::string theme;                // system, light or dark; empty: as last time
};

// Returns true to go on, else the program ends with `exit_code` (2 for wrong usage).
bool parse_options(int argc, char** argv, WorkbenchOptions* options, int* exit_code);

// The project file that `demo` means, and the one made by installer/demo; empty where there is none.
std::filesystem::path demonstration_project(const std::string& demo);

}  // namespace vantage
