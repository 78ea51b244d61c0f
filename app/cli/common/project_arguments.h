// A whole recording analysed, for subcommands that judge what comes out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/pipeline/frame_result.h"
#include "core/project/project.h"
#include "core/results/floor_counts.h"

namespace vantage::cli {

// As `run` does it; the folder of the results. The project has a path. `each` gets every frame once it is
// written, in order; an error of its ends the command.
std::filesystem::path analysed_or_fail(Project project, const std::string& backend,
                                       const std::function<Status(const FrameResult& result)>& each = {});

// For subcommands that write the project they read: nothing that others wrote meanwhile is wiped out.

struct ReadProject {
  Project project;
  uint64_t stamp = 0;  // of its file when it was read
};
ReadProject read_project_or_fail(const std::string& path);

// Fails where the file is another one by now; says to stderr who has the project open.
void write_project_or_fail(const Project& project, uint64_t stamp);
// A window that has the project open offers to take the change over: that it is open is said to stderr.
void tell_who_has_it(const std::filesystem::path& project);

// The people of a run, as the commands that ask about them read them.

// With the project's repairs and the clock. `results`: another folder than the project's own; `tracks`:
// another file than its tracks.csv, which no repair is of. Both may be empty. What is missing or broken is
// said to stderr and ends the command.
RecordedPeople read_people_or_fail(const Project& project, const std::string& results,
                                   const std::string& tracks);

// The time of day, else from the start.
std::string time_of(const RecordedPeople& people, int64_t frame);

}  // namespace vantage::cli
