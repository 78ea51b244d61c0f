// The people of a run, as the commands that ask about them read them.
#pragma once

#include <string>

#include "core/results/floor_counts.h"

namespace vantage::cli {

// With the project's repairs and the clock. `results`: another folder than the project's own; `tracks`:
// another file than its tracks.csv, which no repair is of. Both may be empty. What is missing or broken is
// said to stderr and ends the command.
RecordedPeople read_people_or_fail(const Project& project, const std::string& results,
                                   const std::string& tracks);

// The time of day, else from the start.
std::string time_of(const RecordedPeople& people, int64_t frame);

}  // namespace vantage::cli
