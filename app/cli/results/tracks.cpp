#include <fmt/core.h>
#include <array>
#include <cstdio>
#include <tuple>

#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/metrics/tracking_metrics.h"
#include "core/project/project.h"
#include "core/project/recording_clock.h"
#include "core/results/results_paths.h"
#include "core/tracks/doubts/doubts.h"

namespace vantage::cli {

// vantage-cli doubts: doubtful identities in the tracks of a run.

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

// "--swap 812,1.200,3.400,812,1.500,3.100", as for `repair`.
std::string as_option(const IdentityRepair& repair) {
  std::string text = "--" + std::string(repair_name(repair.kind)) +
                     fmt::format(" {},{:.3f},{:.3f}", repair.at.frame, repair.at.x_m, repair.at.y_m);
  if (has_second_position(repair.kind))
    text += fmt::format(",{},{:.3f},{:.3f}", repair.other.frame, repair.other.x_m, repair.other.y_m);
  return text;
}

std::string as_options(const Doubt& doubt, DoubtAnswer answer) {
  std::string text;
  for (const IntendedRepair& meant : repairs_for(doubt, answer))
    text += (text.empty() ? "" : " ") + as_option(meant.repair);
  return text;
}

Report doubt_report(const RecordedPeople& people, const Doubt& doubt) {
  const std::string time = time_of(people, doubt.before.frame),
                    question = question_of(doubt, called(people, doubt.person), called(people, doubt.other),
                                           people.frame_rate);
  Report row{time + "  " + unit_text(doubt.wrong, {"%", 0, 100}) + "  " + question}, answers;
  row.add_data("kind", doubt_name(doubt.kind)), row.add_data("person", doubt.person);
  if (doubt.other > 0) row.add_data("other", doubt.other);
  row.add_data("first_frame", doubt.before.frame), row.add_data("last_frame", doubt.behind.frame);
  row.add_data("time", time);
  row.add_data("x_m", doubt.before.x_m), row.add_data("y_m", doubt.before.y_m);
  row.add_data("nearest_m", doubt.nearest_m), row.add_data("wrong", doubt.wrong);
  for (const auto& [key, label, answer] : {std::tuple("right", "right: ", DoubtAnswer::right),
                                           {"other", "not: ", DoubtAnswer::other},
                                           {"cut", "cut: ", DoubtAnswer::cut}})
    if (const std::string options = as_options(doubt, answer); answer != DoubtAnswer::cut || !options.empty())
      answers.add_sentence(key, options, label + options);
  row.add_section("answers", std::move(answers));
  return row;
}

Report return_report(const RecordedPeople& people, const PersonReturn& one) {
  const std::string time = time_of(people, one.came.frame);
  Report row{time + "  " + unit_text(one.probability, {"%", 1, 100}) + "  " + called(people, one.came_id)};
  row.add_data("person", one.came_id);
  row.add_data("left_frame", one.left.frame), row.add_data("came_frame", one.came.frame);
  row.add_data("time", time), row.add_data("probability", one.probability);
  row.add_data("away_s", people.seconds(one.came.frame - one.left.frame));
  row.say("came back after {away_s:1} s");
  return row;
}

void print_csv(const RecordedPeople& people, const std::vector<Doubt>& doubts) {
  fmt::print("kind,person,other,first_frame,last_frame,time,x_m,y_m,nearest_m,wrong\n");
  for (const Doubt& doubt : doubts)
    fmt::print("{},{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f}\n", doubt_name(doubt.kind), doubt.person,
               doubt.other > 0 ? std::to_string(doubt.other).c_str() : "", doubt.before.frame,
               doubt.behind.frame, csv_quoted(time_of(people, doubt.before.frame)), doubt.before.x_m,
               doubt.before.y_m, doubt.nearest_m, doubt.wrong);
}

void doubts(const DoubtArguments& arguments) {
  const Project project = value_or_fail(load_project(arguments.project));
  const RecordedPeople people = read_people_or_fail(project, arguments.results, arguments.tracks);
  const TrackIndex index(people.paths, people.frame_rate);
  std::vector<Doubt> found = doubtful_identities(index, people.frames.empty() ? 0 : people.frames.back(),
                                                 arguments.least, people.returns);
  if (!arguments.answered) found = unanswered(std::move(found), people.paths, project.repairs);
  if (arguments.format == "csv") return print_csv(people, found);
  std::vector<Report> rows;
  for (const Doubt& doubt : found) rows.push_back(doubt_report(people, doubt));
  Report report;
  report.add_rows("doubts", std::move(rows));
  report.add_data("people", people.paths.size());
  report.say(std::to_string(found.size()) + " doubtful, of {people} people");
  report.add_data("frame_rate", people.frame_rate);
  std::vector<Report> joined;
  for (const PersonReturn& one : people.returns)
    if (one.joined()) joined.push_back(return_report(people, one));
  if (!joined.empty()) report.say(std::to_string(joined.size()) + " came back under their IDs:");
  report.add_rows("returns", std::move(joined));
  print_report(report, arguments.format == "json");
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
      "the probability that the tracks are wrong there, by positions and heights, and the repairs that "
      "answer "
      "it: "
      "as options\n"
      "of `repair`. Those that a repair answers already are left out.\n"
      "Example: vantage-cli doubts hall.vantage --least 0.2");
  command->add_option("project", arguments->project, "a project that was run")
      ->required()
      ->type_name("P.vantage");
  command->add_option("--least", arguments->least, "minimum probability listed, 0 to 1")
      ->type_name("P")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_flag("--answered", arguments->answered, "include answered ones");
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

// "812,1.2,3.4,Anna"; the name is everything after the third comma.
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
  const size_t count = project.repairs.size();
  std::vector<Report> unmet;
  for (const FailedRepair& failed : repaired.unmet) {
    Report& row = unmet.emplace_back();
    row.add_data("number", failed.number + 1);
    row.add_data("kind", repair_name(project.repairs[failed.number].kind)), row.add_data("why", failed.why);
    row.say("repair {number}, {kind}, no longer applies: {why}");
  }
  Report report, names;
  for (const auto& [id, name] : repaired.names)
    names.add_sentence(std::to_string(id), name, "person " + std::to_string(id) + " is " + name);
  report.add_data("repairs", count), report.add_data("people", repaired.paths.size());
  report.say(count == 1 ? "{repairs} repair, {people} people" : "{repairs} repairs, {people} people");
  report.add_rows("unmet", std::move(unmet)), report.add_section("names", std::move(names));
  print_report(report, options.json);
}

}  // namespace

void add_repair(CLI::App& app) {
  auto options = std::make_shared<RepairOptions>();
  CLI::App* command = app.add_subcommand(
      "repair", "Repair identities by hand: statements about people at positions, kept in the project.");
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
  command->add_option("--name", options->names, "name of the person there; may be repeated")
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

// Share of person-frames with the ID that tracking all frames at once gives, up to renaming: the paths of the
// windows are matched to those as identities are.
double share_as_whole(const std::vector<PersonPath>& windows, const std::vector<PersonPath>& whole) {
  const auto rows = [](const std::vector<PersonPath>& paths) {
    std::vector<TrackRow> all = value_or_fail(read_mot_csv(path_rows(paths), "paths"));
    for (TrackRow& row : all)
      row.confidence = 1;  // rows between two sightings have 0, which would exclude them from a ground truth
    return all;
  };
  constexpr double kSamePlace_m = 0.001;
  return value_or_fail(evaluate_tracks(rows(whole), rows(windows), {TrackSpace::world, kSamePlace_m}))
      .identity.idf1;
}

std::vector<Report> compare_windows(const TrackOptions& options, const StoredResults& results,
                                    const std::vector<FloorZone>& entrances, PathParameters parameters,
                                    const std::vector<PersonPath>& whole) {
  std::vector<Report> list;
  for (const double window_s : options.windows_s) {
    parameters.window_s = window_s;
    parameters.overlap_s = window_s / 2;
    const double same = share_as_whole(value_or_fail(follow_stored(results, parameters, entrances)), whole);
    Report& row = list.emplace_back();
    row.add_data("latency_s", window_s), row.add_data("same_share", same);
    row.say("latency {latency_s} s: {same_share:4} of the person-frames as with all frames together");
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
  Report report;
  report.add_data("frames", results.frames.size()), report.add_data("paths", paths.size());
  report.add_data("points", points), report.add_data("bridged", bridged);
  report.say(
      "{paths} people over {frames} frames; {bridged} of {points} positions bridge frames in which no one "
      "was found");
  report.add_rows("windows", compare_windows(options, results, entrances, parameters, paths));
  report.add_sentence("out", out.string());
  print_report(report, options.json);
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
      ->add_option(
          "--windows", options->windows_s,
          "also track in windows of these lengths, as for live input, and report the share that agrees")
      ->type_name("SECONDS")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  add_json_flag(*command, &options->json);
  command->callback([options] { track(*options); });
}

}  // namespace vantage::cli
