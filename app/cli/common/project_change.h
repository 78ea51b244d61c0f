// For subcommands that write the project they read: nothing that others wrote meanwhile is wiped out.
#pragma once

#include <cstdint>
#include <string>

#include "core/project/project.h"

namespace vantage::cli {

struct ReadProject {
  Project project;
  uint64_t stamp = 0;  // of its file when it was read
};
ReadProject read_project_or_fail(const std::string& path);

// Fails where the file is another one by now; says to stderr who has the project open.
void write_project_or_fail(const Project& project, uint64_t stamp);
// A window that has the project open offers to take the change over: that it is open is said to stderr.
void tell_who_has_it(const std::filesystem::path& project);

}  // namespace vantage::cli
