#include "app/cli/common/project_arguments.h"

#include <fmt/core.h>
#include <cstdio>
#include <utility>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/project/missing_files.h"
#include "core/project/project_store.h"
#include "core/project/recording_clock.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"
#include "core/results/results_writer.h"
#include "core/run/run.h"

namespace vantage::cli {

std::filesystem::path analysed_or_fail(Project project, const std::string& backend,
                                       const std::function<Status(const FrameResult& result)>& each) {
  ChainOptions options;
  options.backend = backend;
  const std::string name = project.path.stem().string();
  OpenedChain chain = open_chain_or_fail(options, std::move(project));
  const FrameRange range = cut_to_recording_or_fail(parse_frames(""), chain.analysis->source());
  RunDescription description = value_or_fail(
      describe_run(*chain.analysis, chain.backends.on_device(chain.trace.get()), chain.backends.description));
  const std::filesystem::path results = chain.project.results_folder();
  const auto writer = value_or_fail(ResultsWriter::open(results, chain.project, description));
  Progress progress(name);
  Status written;
  int64_t done = 0;
  check_or_fail(chain.analysis->pipeline().analyse(
      range, ExecutionMode::threaded,
      [&](const FrameResultRef& result) {
        written = writer->write(*result);
        if (written && each) written = each(*result);
        progress.update(++done, range.end - range.begin);
        return written.has_value();
      },
      interrupted()));
  check_or_fail(written);
  check_or_fail(writer->finish(chain.trace.get()));
  return results;
}

ReadProject read_project_or_fail(const std::string& path) {
  const uint64_t stamp = project_stamp(path);
  return {value_or_fail(load_project(path)), stamp};
}

void write_project_or_fail(const Project& project, uint64_t stamp) {
  Project written = project;
  remember_videos(&written);
  if (value_or_fail(save_project_over(written, project.path, &stamp)) == Saved::changed_outside)
    fail_command({ErrorKind::io, "was changed by another program meanwhile; nothing was written",
                  project.path.string(), "Run the command again: it then starts from the current file."});
  tell_who_has_it(project.path);
}

void tell_who_has_it(const std::filesystem::path& project) {
  if (const auto owner = held_by_other(project))
    fmt::print(stderr, "{} is open in {}, which is notified of the change\n", project.filename().string(),
               owner_text(*owner));
}

RecordedPeople read_people_or_fail(const Project& project, const std::string& results,
                                   const std::string& tracks) {
  const std::filesystem::path folder =
      results.empty() ? project.results_folder() : std::filesystem::path(results);
  const StoredResults stored = value_or_fail(read_results(folder));
  RecordedPeople people;
  people.paths =
      value_or_fail(read_paths(tracks.empty() ? folder / "tracks.csv" : std::filesystem::path(tracks)));
  if (tracks.empty()) {
    people.returns = value_or_fail(read_returns(folder));
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
