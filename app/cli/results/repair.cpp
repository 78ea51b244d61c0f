#include <array>
#include <cstdio>

#include "app/cli/common/project_change.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/project/project.h"
#include "core/results/results_paths.h"

namespace vantage::cli {
namespace {

struct RepairOptions {
  std::string project;
  std::vector<std::string> joins, splits, swaps, removals, same, apart, names;
  bool undo = false, json = false;
};

// "812,1.2,3.4": frame, x and y; two of them for repairs of two people.
IdentityRepair read_repair(RepairKind kind, const std::string& text) {
  const bool two = of_two_places(kind);
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
  for (const UnmetRepair& unmet : repaired.unmet)
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
  command->add_flag("--json", options->json, "print the result as JSON");
  command->callback([options] { repair(*options); });
}

}  // namespace vantage::cli
