#include <cstdio>

#include "app/cli/common/set_option.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/metrics/tracking_metrics.h"
#include "core/project/project.h"
#include "core/results/results_paths.h"

namespace vantage::cli {
namespace {

struct TrackOptions {
  std::string results, out;
  SetOption set;
  std::vector<double> windows_s;
  bool json = false;
};

// A folder of results, or a project's with its entrances.
struct Source {
  std::filesystem::path folder;
  std::vector<FloorZone> entrances;
};

Source source_of(const std::string& given) {
  const std::filesystem::path path = given;
  if (std::filesystem::is_directory(path)) return {path, {}};
  const Project project = value_or_fail(load_project(path));
  return {project.results_folder(), zones_of_kind(project.zones, ZoneKind::entrance)};
}

// Person-frames that have the number, up to renaming, that all frames together give them: the paths of the
// windows are matched to those as identities are.
double share_as_whole(const std::vector<PersonPath>& windows, const std::vector<PersonPath>& whole) {
  const auto rows = [](const std::vector<PersonPath>& paths) {
    std::vector<TrackRow> all = value_or_fail(read_mot_csv(path_rows(paths), "paths"));
    for (TrackRow& row : all) row.confidence = 1;  // 0, between two sightings, would be none in a truth
    return all;
  };
  constexpr double kSamePlace_m = 0.001;
  return value_or_fail(evaluate_tracks(rows(whole), rows(windows), {TrackSpace::world, kSamePlace_m}))
      .identity.idf1;
}

nlohmann::ordered_json compare_windows(const TrackOptions& options, const StoredResults& results,
                                       const std::vector<FloorZone>& entrances, PathParameters parameters,
                                       const std::vector<PersonPath>& whole) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const double window_s : options.windows_s) {
    parameters.window_s = window_s;
    parameters.overlap_s = window_s / 2;
    const std::vector<PersonPath> paths = value_or_fail(follow_stored(results, parameters, entrances));
    list.push_back({{"latency_s", window_s}, {"same_share", share_as_whole(paths, whole)}});
  }
  return list;
}

void track(const TrackOptions& options) {
  const auto parameters = options.set.apply_to({&parameter_table<PathParameters>()}).get<PathParameters>();
  const auto [folder, entrances] = source_of(options.results);
  const StoredResults results = value_or_fail(read_results(folder));
  const std::vector<PersonPath> paths = value_or_fail(follow_stored(results, parameters, entrances));
  const std::filesystem::path out =
      options.out.empty() ? folder / "paths.csv" : std::filesystem::path(options.out);
  if (const Status written = write_file_atomically(out, path_rows(paths)); !written)
    fail_command(written.error());
  int64_t points = 0, bridged = 0;
  for (const PersonPath& path : paths)
    for (const PathPoint& point : path.points) ++points, bridged += !point.seen;
  const nlohmann::ordered_json windows = compare_windows(options, results, entrances, parameters, paths);
  if (options.json) {
    const nlohmann::ordered_json json = {{"frames", results.frames.size()},
                                         {"paths", paths.size()},
                                         {"points", points},
                                         {"bridged", bridged},
                                         {"windows", windows},
                                         {"out", out.string()}};
    print_json(json);
    return;
  }
  std::printf(
      "%zu people over %zu frames; %lld of %lld positions bridge frames in which no one was found\n"
      "%s\n",
      paths.size(), results.frames.size(), static_cast<long long>(bridged), static_cast<long long>(points),
      out.string().c_str());
  for (const auto& window : windows)
    std::printf("latency %g s: %.4f of the person-frames as with all frames together\n",
                window["latency_s"].get<double>(), window["same_share"].get<double>());
}

}  // namespace

void add_track(CLI::App& app) {
  auto options = std::make_shared<TrackOptions>();
  CLI::App* command = app.add_subcommand(
      "track", "Track the people of a run over the whole recording at once: globally cheapest paths.");
  command->footer(
      "Reads results.jsonl of a run; nothing is analysed again. Writes the columns of tracks.csv. Where the "
      "project has\n"
      "entrances (`floor`), paths start and end only there and at the recording's ends.\n"
      "Example: vantage-cli track hall.vantage --set paths.method=motion --out paths.csv");
  command->add_option("results", options->results, "a project that was run, or a folder of results")
      ->required();
  command->add_option("--out", options->out, "CSV file; paths.csv in the results folder if absent")
      ->type_name("FILE");
  options->set.add_to(*command, "paths");
  command
      ->add_option("--windows", options->windows_s,
                   "also track in windows of these lengths, as for live input, and say how much is the same")
      ->type_name("SECONDS")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", options->json, "print the summary as JSON");
  command->callback([options] { track(*options); });
}

}  // namespace vantage::cli
