#include <cstdio>

#include "app/cli/common/floor_text.h"
#include "app/cli/common/project_change.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/project/project.h"
#include "core/results/results_paths.h"
#include "core/tracks/counting/entrances.h"

namespace vantage::cli {
namespace {

struct FloorOptions {
  std::string project, tracks;
  std::vector<std::string> entrances, areas, removed;
  bool learn = false, write = false, json = false;
  int64_t min = kMinUses;
};

void add_zones(const std::vector<std::string>& texts, ZoneKind kind, Project* project) {
  for (const std::string& text : texts) {
    auto [name, corners] = read_shape(text, 3);
    draw_shape(&project->zones, FloorZone{name, std::move(corners), kind});
  }
}

std::vector<LearnedEntrance> learn(const FloorOptions& options, const Project& project) {
  const std::filesystem::path folder = project.results_folder();
  const StoredResults results = value_or_fail(read_results(folder));
  if (results.frames.empty())
    fail_command({ErrorKind::not_found, "there are no frames in the results", folder.string(), "Run first."});
  const std::vector<PersonPath> paths = value_or_fail(
      read_paths(options.tracks.empty() ? folder / "tracks.csv" : std::filesystem::path(options.tracks)));
  return learn_entrances(paths, {results.frames.front().frame, results.frames.back().frame},
                         results.frame_rate, options.min);
}

nlohmann::ordered_json zone_json(const FloorZone& zone) {
  nlohmann::ordered_json corners = nlohmann::ordered_json::array();
  for (const Eigen::Vector2d& corner : zone.corners_m) corners.push_back({corner.x(), corner.y()});
  return {{"name", zone.name},
          {"kind", kZoneKindNames[static_cast<size_t>(zone.kind)]},
          {"corners_m", std::move(corners)}};
}

void floor(const FloorOptions& options) {
  auto [project, stamp] = read_project_or_fail(options.project);
  for (const std::string& name : options.removed)
    if (std::erase_if(project.zones, [&](const FloorZone& zone) { return zone.name == name; }) == 0)
      throw CLI::ValidationError("--remove", "no zone is named '" + name + "'");
  add_zones(options.entrances, ZoneKind::entrance, &project);
  add_zones(options.areas, ZoneKind::area, &project);
  nlohmann::ordered_json learned = nlohmann::ordered_json::array();
  if (options.learn)
    for (LearnedEntrance& entrance : learn(options, project)) {
      learned.push_back({{"name", entrance.zone.name},
                         {"appeared", entrance.appeared},
                         {"disappeared", entrance.disappeared}});
      draw_shape(&project.zones, std::move(entrance.zone));
    }
  if (options.write) write_project_or_fail(project, stamp);
  nlohmann::ordered_json json = {{"zones", nlohmann::ordered_json::array()}, {"learned", learned}};
  for (const FloorZone& zone : project.zones) json["zones"].push_back(zone_json(zone));
  if (options.json) {
    print_json(json);
    return;
  }
  for (const FloorZone& zone : project.zones)
    std::printf("%s, %s: %s\n", zone.name.c_str(),
                std::string(kZoneKindNames[static_cast<size_t>(zone.kind)]).c_str(),
                json_text(zone_json(zone)["corners_m"]).c_str());
  for (const auto& entrance : learned)
    std::printf("%s: %lld tracks appeared, %lld disappeared\n", entrance["name"].get<std::string>().c_str(),
                entrance["appeared"].get<long long>(), entrance["disappeared"].get<long long>());
  if (!options.write) std::printf("Not saved: --write writes the project.\n");
}

}  // namespace

void add_floor(CLI::App& app) {
  auto options = std::make_shared<FloorOptions>();
  CLI::App* command =
      app.add_subcommand("floor", "Say where people enter and where they stand, or learn it from tracks.");
  command->footer(
      "Entrances: paths (`track`, tracking.method=paths) start and end only there, and at the recording's "
      "ends.\n"
      "Areas: people are searched for only there, in any shape; without one everywhere in the region.\n"
      "Example: vantage-cli floor hall.vantage --entrance door=0,0,1,0,1,0.5,0,0.5 --write\n"
      "         vantage-cli floor hall.vantage --learn-entrances --tracks paths.csv --write");
  command->add_option("project", options->project, "a project")->required();
  command->add_option("--entrance", options->entrances, "a zone where people appear; may be repeated")
      ->type_name("NAME=X,Y,...");
  command->add_option("--area", options->areas, "a zone in which people stand; may be repeated")
      ->type_name("NAME=X,Y,...");
  command->add_option("--remove", options->removed, "a zone to remove; may be repeated")->type_name("NAME");
  command->add_flag("--learn-entrances", options->learn, "where tracks of the results begin and end");
  command->add_option("--tracks", options->tracks, "tracks to learn from, as paths.csv; tracks.csv if absent")
      ->type_name("FILE");
  command->add_option("--min-tracks,--least", options->min, "minimum number of tracks that make an entrance")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--write", options->write, "keep the zones in the project");
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { floor(*options); });
}

}  // namespace vantage::cli
