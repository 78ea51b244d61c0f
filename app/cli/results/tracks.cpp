#include <algorithm>
#include <array>
#include <cstdio>

#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/metrics/tracking_metrics.h"
#include "core/project/project.h"
#include "core/project/recording_clock.h"
#include "core/results/results_paths.h"
#include "core/tracks/doubts/doubts.h"

namespace vantage::cli {

// vantage-cli doubts: identities that the tracks of a run leave in doubt.

namespace {

struct DoubtArguments {
  std::string project, results, tracks, format = "table";
  double least = kMinDoubt;
  bool answered = false;
};

std::string called(const RecordedPeople& people, int64_t id) {
  const auto name = people.names.find(id);
  return name == people.names.end() ? std::to_string(id) : name->second + " (" + std::to_string(id) + ")";
}

std::string words_of(const RecordedPeople& people, const Doubt& doubt) {
  const std::string who = called(people, doubt.person);
  switch (doubt.kind) {
    case DoubtKind::passage:
      return who + " and " + called(people, doubt.other) +
             formatted(" came within %.2f m: swapped?", doubt.nearest_m);
    case DoubtKind::gap:
      return who + formatted(" was not seen for %.1f s and came back %.2f m away: another?",
                             people.seconds(doubt.behind.frame - doubt.before.frame), doubt.nearest_m);
    case DoubtKind::restart:
      return who +
             formatted(" ended, and %.1f s later ", people.seconds(doubt.behind.frame - doubt.before.frame)) +
             called(people, doubt.other) + formatted(" began %.2f m away: one?", doubt.nearest_m);
  }
  return {};
}

// "--swap 812,1.200,3.400,812,1.500,3.100", as `repair` takes it.
std::string as_option(const IdentityRepair& repair) {
  std::string text =
      "--" + std::string(repair_name(repair.kind)) +
      formatted(" %lld,%.3f,%.3f", static_cast<long long>(repair.at.frame), repair.at.x_m, repair.at.y_m);
  if (has_second_position(repair.kind))
    text += formatted(",%lld,%.3f,%.3f", static_cast<long long>(repair.other.frame), repair.other.x_m,
                      repair.other.y_m);
  return text;
}

std::string as_options(const Doubt& doubt, DoubtAnswer answer) {
  std::string text;
  for (const IntendedRepair& meant : repairs_for(doubt, answer))
    text += (text.empty() ? "" : " ") + as_option(meant.repair);
  return text;
}

nlohmann::ordered_json json_of(const RecordedPeople& people, const Doubt& doubt) {
  nlohmann::ordered_json one = {{"kind", doubt_name(doubt.kind)}, {"person", doubt.person}};
  if (doubt.other > 0) one["other"] = doubt.other;
  one["first_frame"] = doubt.before.frame, one["last_frame"] = doubt.behind.frame;
  one["time"] = time_of(people, doubt.before.frame);
  one["x_m"] = doubt.before.x_m, one["y_m"] = doubt.before.y_m;
  one["nearest_m"] = doubt.nearest_m, one["wrong"] = doubt.wrong;
  nlohmann::ordered_json& answers = one["answers"];
  answers["right"] = as_options(doubt, DoubtAnswer::right);
  answers["other"] = as_options(doubt, DoubtAnswer::other);
  if (const std::string cut = as_options(doubt, DoubtAnswer::cut); !cut.empty()) answers["cut"] = cut;
  return one;
}

void print_csv(const RecordedPeople& people, const std::vector<Doubt>& doubts) {
  std::printf("kind,person,other,first_frame,last_frame,time,x_m,y_m,nearest_m,wrong\n");
  for (const Doubt& doubt : doubts)
    std::printf("%s,%lld,%s,%lld,%lld,%s,%.3f,%.3f,%.3f,%.3f\n", std::string(doubt_name(doubt.kind)).c_str(),
                static_cast<long long>(doubt.person),
                doubt.other > 0 ? std::to_string(doubt.other).c_str() : "",
                static_cast<long long>(doubt.before.frame), static_cast<long long>(doubt.behind.frame),
                csv_quoted(time_of(people, doubt.before.frame)).c_str(), doubt.before.x_m, doubt.before.y_m,
                doubt.nearest_m, doubt.wrong);
}

void print_table(const RecordedPeople& people, const std::vector<Doubt>& doubts) {
  for (const Doubt& doubt : doubts)
    std::printf("%s  %2.0f %%  %s\n  right: %s\n  not:   %s\n", time_of(people, doubt.before.frame).c_str(),
                100 * doubt.wrong, words_of(people, doubt).c_str(),
                as_options(doubt, DoubtAnswer::right).c_str(), as_options(doubt, DoubtAnswer::other).c_str());
  std::printf("%zu doubtful, of %zu people\n", doubts.size(), people.paths.size());
}

void doubts(const DoubtArguments& arguments) {
  const Project project = value_or_fail(load_project(arguments.project));
  const RecordedPeople people = read_people_or_fail(project, arguments.results, arguments.tracks);
  const TrackIndex index(people.paths, people.frame_rate);
  std::vector<Doubt> found =
      doubtful_identities(index, people.frames.empty() ? 0 : people.frames.back(), arguments.least);
  if (!arguments.answered) found = unanswered(std::move(found), people.paths, project.repairs);
  if (arguments.format == "csv") return print_csv(people, found);
  if (arguments.format == "table") return print_table(people, found);
  auto list = nlohmann::ordered_json::array();
  for (const Doubt& doubt : found) list.push_back(json_of(people, doubt));
  print_json(nlohmann::ordered_json{
      {"doubts", list}, {"people", people.paths.size()}, {"frame_rate", people.frame_rate}});
}

}  // namespace

void add_doubts(CLI::App& app) {
  auto arguments = std::make_shared<DoubtArguments>();
  CLI::App* command =
      app.add_subcommand("doubts", "List identities that the tracks of a run leave in doubt.");
  command->footer(
      "People who passed near each other, were not seen for a while, or began where another track ended; "
      "each "
      "with\n"
      "the probability that the tracks are wrong there, by places and heights, and the repairs that answer "
      "it: "
      "as options\n"
      "of `repair`. Those that a repair answers already are left out.\n"
      "Example: vantage-cli doubts hall.vantage --least 0.2");
  command->add_option("project", arguments->project, "a project that was run")
      ->required()
      ->type_name("P.vantage");
  command->add_option("--least", arguments->least, "the smallest probability that is listed, 0 to 1")
      ->type_name("P")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_flag("--answered", arguments->answered, "with those that were answered");
  command->add_option("--results", arguments->results, "results in another folder; NAME.results if absent")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  command->add_option("--tracks", arguments->tracks, "tracks of another file, as paths.csv of `track`")
      ->type_name("FILE");
  command->add_flag_callback("--json", [arguments] { arguments->format = "json"; }, "print it as JSON");
  command->add_flag_callback("--csv", [arguments] { arguments->format = "csv"; }, "print it as CSV");
  command->callback([arguments] { doubts(*arguments); });
}

namespace {

struct RepairOptions {
  std::string project;
  std::vector<std::string> joins, splits, swaps, removals, same, apart, names;
  bool undo = false, json = false;
};

// "812,1.2,3.4": frame, x and y; two of them for repairs of two people.
IdentityRepair read_repair(RepairKind kind, const std::string& text) {
  const bool two = has_second_position(kind);
  std::array<double, 6> n{};
  long long frames[2] = {};
  int used = 0;
  const int read = two ? std::sscanf(text.c_str(), "%lld,%lf,%lf,%lld,%lf,%lf%n", &frames[0], &n[0], &n[1],
                                     &frames[1], &n[2], &n[3], &used)
                       : std::sscanf(text.c_str(), "%lld,%lf,%lf%n", &frames[0], &n[0], &n[1], &used);
  if (read != (two ? 6 : 3) || static_cast<size_t>(used) != text.size())
    throw CLI::ValidationError(text, two ? "FRAME,X,Y,FRAME,X,Y is expected" : "FRAME,X,Y is expected");
  return {kind, {frames[0], n[0], n[1]}, {frames[1], n[2], n[3]}};
}

// "812,1.2,3.4,Anna"; the name is all that is behind the third comma.
IdentityRepair read_name(const std::string& text) {
  size_t end = 0;
  for (int commas = 0; commas < 3 && end != std::string::npos; ++commas)
    end = text.find(',', commas == 0 ? 0 : end + 1);
  if (end == std::string::npos) throw CLI::ValidationError(text, "FRAME,X,Y,NAME is expected");
  IdentityRepair repair = read_repair(RepairKind::name, text.substr(0, end));
  repair.name = text.substr(end + 1);
  return repair;
}

void repair(const RepairOptions& options) {
  auto [project, stamp] = read_project_or_fail(options.project);
  if (options.undo && !project.repairs.empty()) project.repairs.pop_back();
  std::vector<IdentityRepair>& repairs = project.repairs;
  const auto add = [&repairs](RepairKind kind, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) repairs.push_back(read_repair(kind, text));
  };
  add(RepairKind::join, options.joins);
  add(RepairKind::split, options.splits);
  add(RepairKind::swap, options.swaps);
  add(RepairKind::remove, options.removals);
  add(RepairKind::same, options.same);
  add(RepairKind::apart, options.apart);
  for (const std::string& text : options.names) repairs.push_back(read_name(text));
  const RepairedPaths repaired = value_or_fail(write_repaired(project.results_folder(), project.repairs));
  write_project_or_fail(project, stamp);
  nlohmann::ordered_json json = {{"repairs", project.repairs.size()}, {"people", repaired.paths.size()}};
  json["unmet"] = nlohmann::ordered_json::array();
  for (const FailedRepair& unmet : repaired.unmet)
    json["unmet"].push_back({{"number", unmet.number + 1},
                             {"kind", repair_name(project.repairs[unmet.number].kind)},
                             {"why", unmet.why}});
  json["names"] = nlohmann::ordered_json::object();
  for (const auto& [id, name] : repaired.names) json["names"][std::to_string(id)] = name;
  if (options.json) {
    print_json(json);
    return;
  }
  const char* const plural = project.repairs.size() == 1 ? "" : "s";
  std::printf("%zu repair%s, %zu people\n", project.repairs.size(), plural, repaired.paths.size());
  for (const auto& [id, name] : repaired.names)
    std::printf("person %lld is %s\n", static_cast<long long>(id), name.c_str());
  for (const auto& unmet : json["unmet"])
    std::printf("repair %zu, %s, no longer applies: %s\n", unmet["number"].get<size_t>(),
                unmet["kind"].get<std::string>().c_str(), unmet["why"].get<std::string>().c_str());
}

}  // namespace

void add_repair(CLI::App& app) {
  auto options = std::make_shared<RepairOptions>();
  CLI::App* command = app.add_subcommand(
      "repair", "Repair identities by hand: statements about who stood where, kept in the project.");
  command->footer(
      "A position is FRAME,X,Y in metres; it names the nearest person in that frame, within 0.5 m. Repairs "
      "are applied\n"
      "again to every run's tracks.csv and make repaired.csv next to it, and names.csv of the names; those "
      "that no longer\n"
      "apply are listed. An empty name removes a name.\n"
      "Example: vantage-cli repair hall.vantage --join 310,1.2,3.4,352,1.5,3.1 --split 600,0,2 --name "
      "812,1.2,3.4,Anna");
  command->add_option("project", options->project, "a project that was run")->required();
  const auto add = [&](const char* name, std::vector<std::string>& texts, const char* help, bool two) {
    command->add_option(name, texts, help)->type_name(two ? "F,X,Y,F,X,Y" : "F,X,Y");
  };
  add("--join", options->joins, "two tracks that are one person; may be repeated", true);
  add("--split", options->splits, "a track that is another person from that frame on; may be repeated",
      false);
  add("--swap", options->swaps, "two people whose IDs were exchanged in that frame; may be repeated", true);
  add("--remove", options->removals, "a track that is not a person; may be repeated", false);
  add("--same", options->same, "two positions of one track, confirmed as one person's; may be repeated",
      true);
  add("--apart", options->apart, "positions of two tracks, confirmed as two people's; may be repeated", true);
  command->add_option("--name", options->names, "what the person who stands there is called; may be repeated")
      ->type_name("F,X,Y,NAME");
  command->add_flag("--undo", options->undo, "undo the last repair first");
  add_json_flag(*command, &options->json);
  command->callback([options] { repair(*options); });
}

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
  add_json_flag(*command, &options->json);
  command->callback([options] { track(*options); });
}

}  // namespace vantage::cli
