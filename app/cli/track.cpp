#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/value_or_fail.h"
#include "core/base/file.h"
#include "core/metrics/tracking_metrics.h"
#include "core/path_tracking/path_tracker.h"
#include "core/project/project.h"
#include "core/project/results_reader.h"

namespace vantage::cli {
namespace {

struct TrackOptions {
  std::string results, out;
  std::vector<std::string> assignments;
  bool json = false;
};

std::filesystem::path results_folder(const std::string& given) {
  const std::filesystem::path path = given;
  if (std::filesystem::is_directory(path)) return path;
  return value_or_fail(load_project(path)).results_folder();
}

PathParameters parameters_of(const TrackOptions& options) {
  ParameterStore store({&parameter_table<PathParameters>()});
  for (const std::string& assignment : options.assignments)
    if (const Status set = store.set_from_text(assignment); !set)
      throw CLI::ValidationError("--set", set.error().message());
  return store.get<PathParameters>();
}

std::vector<SeenFrame> seen_people(const StoredResults& results) {
  std::vector<SeenFrame> seen;
  for (const StoredFrame& frame : results.frames) {
    seen.push_back({frame.frame, {}});
    const auto add = [&](const StoredPerson& person, bool rejected) {
      seen.back().people.push_back({person.x_m, person.y_m, person.height_m, person.confidence, rejected});
    };
    for (const StoredPerson& person : frame.people) add(person, false);
    for (const StoredPerson& peak : frame.rejected) add(peak, true);
  }
  return seen;
}

// The columns of tracks.csv, by frame.
std::string to_csv(const std::vector<PersonPath>& paths) {
  std::vector<TrackRow> rows;
  for (const PersonPath& path : paths)
    for (const PathPoint& point : path.points) {
      TrackRow row;
      row.frame = point.frame + 1, row.id = path.id;
      row.confidence = point.confidence, row.x_m = point.x_m, row.y_m = point.y_m;
      rows.push_back(row);
    }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const TrackRow& a, const TrackRow& b) { return a.frame < b.frame; });
  std::string csv;
  for (const TrackRow& row : rows) csv += mot_csv_row(row);
  return csv;
}

void track(const TrackOptions& options) {
  const PathParameters parameters = parameters_of(options);
  const std::filesystem::path folder = results_folder(options.results);
  const StoredResults results = value_or_fail(read_results(folder));
  const std::vector<SeenFrame> seen = seen_people(results);
  const std::vector<PersonPath> paths = value_or_fail(follow_paths(seen, results.frame_rate, parameters));
  const std::filesystem::path out =
      options.out.empty() ? folder / "paths.csv" : std::filesystem::path(options.out);
  if (const Status written = write_file_atomically(out, to_csv(paths)); !written)
    fail_command(written.error());
  int64_t points = 0, bridged = 0;
  for (const PersonPath& path : paths)
    for (const PathPoint& point : path.points) ++points, bridged += !point.seen;
  if (options.json) {
    const nlohmann::ordered_json json = {{"frames", seen.size()},
                                         {"paths", paths.size()},
                                         {"points", points},
                                         {"bridged", bridged},
                                         {"out", out.string()}};
    std::printf("%s\n", json.dump(2).c_str());
    return;
  }
  std::printf(
      "%zu people over %zu frames; %lld of %lld places bridge frames in which nobody was found there\n%s\n",
      paths.size(), seen.size(), static_cast<long long>(bridged), static_cast<long long>(points),
      out.string().c_str());
}

}  // namespace

void add_track(CLI::App& app) {
  auto options = std::make_shared<TrackOptions>();
  CLI::App* command = app.add_subcommand(
      "track",
      "Follow the people that a run found over the whole recording at once: globally cheapest paths.");
  command->footer(
      "Reads results.jsonl of a run; analyses nothing again. Writes the columns of tracks.csv.\n"
      "Example: vantage-cli track hall.vantage --set paths.method=grid --out paths.csv");
  command->add_option("results", options->results, "a project that was run, or a folder of results")
      ->required();
  command->add_option("--out", options->out, "CSV file; paths.csv in the results folder if absent")
      ->type_name("FILE");
  command->add_option("--set", options->assignments, "a parameter: paths.NAME=VALUE; may be repeated")
      ->type_name("NAME=VALUE");
  command->add_flag("--json", options->json, "print the summary as JSON");
  command->callback([options] { track(*options); });
}

}  // namespace vantage::cli
