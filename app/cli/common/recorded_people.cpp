#include "app/cli/common/recorded_people.h"

#include "app/cli/common/value_or_fail.h"
#include "core/project/recording_clock.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"

namespace vantage::cli {

RecordedPeople read_people_or_fail(const Project& project, const std::string& results,
                                   const std::string& tracks) {
  const std::filesystem::path folder =
      results.empty() ? project.results_folder() : std::filesystem::path(results);
  const StoredResults stored = value_or_fail(read_results(folder));
  RecordedPeople people;
  people.paths =
      value_or_fail(read_paths(tracks.empty() ? folder / "tracks.csv" : std::filesystem::path(tracks)));
  if (tracks.empty()) {
    RepairedPaths repaired = apply_repairs(std::move(people.paths), project.repairs);
    people.paths = std::move(repaired.paths), people.names = std::move(repaired.names);
  }
  people.clock = find_clock(project);
  people.frame_rate = stored.frame_rate;
  for (const StoredFrame& frame : stored.frames) {
    people.frames.push_back(frame.frame);
    if (frame.people_count >= 0) people.known_frames.push_back(frame.frame);
  }
  return people;
}

std::string time_of(const RecordedPeople& people, int64_t frame) {
  return people.clock ? people.clock->text(people.seconds(frame)) : elapsed_text(people.seconds(frame));
}

}  // namespace vantage::cli
