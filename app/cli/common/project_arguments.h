// Analyses a complete recording, for subcommands that evaluate the results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/pipeline/frame_result.h"
#include "core/project/project.h"
#include "core/results/floor_counts.h"

namespace vantage::cli {

// As `run` does; returns the folder of the results. The project has a path. `each` gets every frame once it
// is written, in order; its error ends the command.
std::filesystem::path analysed_or_fail(Project project, const std::string& backend,
                                       const std::function<Status(const FrameResult& result)>& each = {});

// For subcommands that write the project they read, without overwriting changes by others.

struct ReadProject {
  Project project;
  uint64_t stamp = 0;  // stamp of its file when it was read
};
ReadProject read_project_or_fail(const std::string& path);

// Fails if the file has changed; reports on stderr who has the project open.
void write_project_or_fail(const Project& project, uint64_t stamp);
// A window that has the project open offers to load the change; reports on stderr that it is open.
void tell_who_has_it(const std::filesystem::path& project);

// The people of a run, for commands that query them.

// With the project's repairs and clock. `results`: another folder than the project's own; `tracks`: another
// file than its tracks.csv, without repairs. Both may be empty. Missing or damaged files are reported on
// stderr and end the command.
RecordedPeople read_people_or_fail(const Project& project, const std::string& results,
                                   const std::string& tracks);

// The time of day, else from the start.
std::string time_of(const RecordedPeople& people, int64_t frame);

}  // namespace vantage::cli
