// vantage-cli doubts: identities that the tracks of a run leave in doubt.
#include "core/tracks/doubts/doubts.h"

#include <algorithm>
#include <cstdio>

#include "app/cli/common/recorded_people.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/csv_fields.h"
#include "core/base/formatted.h"
#include "core/base/json.h"
#include "core/project/project.h"
#include "core/project/recording_clock.h"

namespace vantage::cli {
namespace {

struct DoubtArguments {
  std::string project, results, tracks, format = "table";
  double least = kLeastDoubt;
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
  if (of_two_places(repair.kind))
    text += formatted(",%lld,%.3f,%.3f", static_cast<long long>(repair.other.frame), repair.other.x_m,
                      repair.other.y_m);
  return text;
}

std::string as_options(const Doubt& doubt, DoubtAnswer answer) {
  std::string text;
  for (const MeantRepair& meant : repairs_for(doubt, answer))
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

}  // namespace vantage::cli
