// vantage-cli calibrate compare: two calibrations of the same cameras side by side.

#include "app/cli/calibrate/calibrate.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/calibration/solve/measure.h"
#include "core/results/truth_files.h"
#include "core/run/run_under_both.h"

namespace vantage::cli {
namespace {

// Two calibrations compared by the people of a project's footage: what `calibrate compare --people` does.

struct ComparePeopleOptions {
  bool used = false;
  std::string truth;  // a file of ground truth; empty: what was drawn in the project
};

using nlohmann::ordered_json;

GroundTruth truth_of(const ComparePeopleOptions& options, const Project& project) {
  if (!options.truth.empty()) return value_or_fail(read_ground_truth(options.truth));
  return ground_truth_of(project.truth);
}

ordered_json number(double value) {
  return std::isnan(value) ? ordered_json() : ordered_json(value);
}

ordered_json found_json(const FoundUnder& found, int64_t alone, const std::vector<std::string>& cameras) {
  ordered_json json = {{"tracks", found.tracks},
                       {"person_frames", found.person_frames},
                       {"alone", alone},
                       {"height_m", found.height_m},
                       {"height_scatter", found.height_scatter},
                       {"outlines_px", found.outlines_px}};
  for (size_t c = 0; c < cameras.size(); ++c) json["outlines_of_px"][cameras[c]] = found.outlines_of_px[c];
  return json;
}

void print_found(const char* name, const FoundUnder& found, int64_t alone) {
  std::printf(
      "%-3s %lld tracks, %lld person-frames, %lld of them alone; heights %.3f m, scatter %.2f %%; "
      "outlines miss by %.2f px\n",
      name, static_cast<long long>(found.tracks), static_cast<long long>(found.person_frames),
      static_cast<long long>(alone), found.height_m, 100 * found.height_scatter, found.outlines_px);
}

std::string conclusion(GainVerdict verdict) {
  if (verdict == GainVerdict::better) return "B is better";
  if (verdict == GainVerdict::worse) return "A is better";
  return "which is better: cannot tell";
}

// --people, --gt and --frames; those that the chain has and --people needs need it.
void add_compare_people_options(CLI::App& command, ComparePeopleOptions* options, ChainOptions* chain) {
  CLI::Option* const people = command.add_flag(
      "--people", options->used,
      "Run the chain under both, and compare the people found: positions, heights, outlines, ground truth");
  add_frames_option(command, *chain);
  command.add_option("--gt", options->truth,
                     "With --people: ground truth as of evaluate; else what was drawn in the project");
  for (const char* name : {"--frames", "--gt", "--set", "--backend"}) command.get_option(name)->needs(people);
}

// Runs the chain under both calibrations, the second's world being that of the first, over the region `grid`.
ComparedByPeople compare_by_people_or_fail(const ComparePeopleOptions& options, const ChainOptions& asked,
                                           const Project& project, const std::vector<Camera>& first,
                                           const std::vector<Camera>& second, const VoxelGrid& grid) {
  const BothCalibrations both{{first, second}, grid, parse_frames(asked.frames), truth_of(options, project)};
  std::unique_ptr<OpenedChain> chain;
  int under = 0;
  const ProjectOpener open = [&](const Project& changed,
                                 const std::shared_ptr<KeptFrames>& kept) -> Result<OpenedProject> {
    std::fprintf(stderr, "people under calibration %c\n", 'A' + under++);
    ChainOptions chain_options = asked;
    chain_options.kept = kept;
    chain.reset();
    chain = std::make_unique<OpenedChain>(open_chain_or_fail(chain_options, changed));
    return OpenedProject{*chain->analysis, chain->backends.on_device(chain->trace.get()),
                         chain->backends.description};
  };
  Progress progress("people");
  return value_or_fail(run_under_both(
      project, both, open, [&](int64_t done, int64_t total) { progress.update(done, total); },
      interrupted()));
}

ordered_json people_json(const ComparedByPeople& compared, const std::vector<std::string>& cameras) {
  const CalibrationsByPeople& people = compared.people;
  ordered_json json = {{"frames", people.frames},
                       {"a", found_json(people.found[0], people.alone[0], cameras)},
                       {"b", found_json(people.found[1], people.alone[1], cameras)},
                       {"same", people.same},
                       {"same_tracks", people.same_tracks},
                       {"apart_median_m", people.apart_median_m},
                       {"apart_p95_m", people.apart_p95_m}};
  for (const JudgedFigure& figure : people.figures)
    json["figures"].push_back({{"name", figure.name},
                               {"a", figure.values[0]},
                               {"b", figure.values[1]},
                               {"b_is", verdict_text(figure.verdict)}});
  json["truth"] = ordered_json::array();
  for (const ComparedFigure& figure : compared.truth)
    json["truth"].push_back({{"name", figure.figure->name},
                             {"a", number(figure.first)},
                             {"b", number(figure.second)},
                             {"difference", number(figure.difference.value)},
                             {"from", number(figure.difference.from)},
                             {"to", number(figure.difference.to)},
                             {"b_is", verdict_text(figure.verdict)}});
  json["b_is"] = verdict_text(compared.second_is());
  return json;
}

void print_people(const ComparedByPeople& compared) {
  const CalibrationsByPeople& people = compared.people;
  std::printf("people in %lld frames\n", static_cast<long long>(people.frames));
  print_found("A", people.found[0], people.alone[0]);
  print_found("B", people.found[1], people.alone[1]);
  std::printf(
      "the same people in both: %lld person-frames, %lld tracks of A; apart on the floor by %.1f cm in "
      "the median, %.1f cm in 95 %%\n",
      static_cast<long long>(people.same), static_cast<long long>(people.same_tracks),
      100 * people.apart_median_m, 100 * people.apart_p95_m);
  for (const JudgedFigure& figure : people.figures) {
    const bool share = figure.name == "height_scatter";
    const double factor = share ? 100 : 1;
    std::printf("%-24s A %8.3f%s  B %8.3f%s  B is: %s\n", std::string(figure.title).c_str(),
                factor * figure.values[0], share ? " %" : "", factor * figure.values[1], share ? " %" : "",
                std::string(verdict_text(figure.verdict)).c_str());
  }
  for (const ComparedFigure& figure : compared.truth)
    std::printf("%-24s A %8.3f  B %8.3f  B is: %s\n", std::string(figure.figure->title).c_str(), figure.first,
                figure.second, std::string(verdict_text(figure.verdict)).c_str());
  std::printf("%s\n", conclusion(compared.second_is()).c_str());
}

using nlohmann::ordered_json;

struct CompareCommand {
  ChainOptions chain;
  std::string first, second;
  ComparePeopleOptions people;
  CalibrationOptions read;
  bool align = false, json = false;
};

struct ComparedCamera {
  std::string name;
  CameraComparison found;
};

ordered_json camera_json(const ComparedCamera& camera) {
  const CameraComparison& found = camera.found;
  ordered_json json = {{"name", camera.name},
                       {"turned_deg", found.turned_deg},
                       {"moved_m", found.moved_m},
                       {"focal_change", found.focal_share},
                       {"picture_rms_px", found.rms_px},
                       {"picture_max_px", found.max_px},
                       {"floor_median_m", found.median_m},
                       {"floor_max_m", found.max_m}};
  ordered_json& picture = json["picture_px"] = ordered_json::array();
  for (int row = 0; row < kComparedRows; ++row) {
    ordered_json line = ordered_json::array();
    for (int column = 0; column < kComparedColumns; ++column) {
      const auto& value = found.picture_px[static_cast<size_t>(row * kComparedColumns + column)];
      line.push_back(value ? ordered_json(*value) : ordered_json());
    }
    picture.push_back(std::move(line));
  }
  ordered_json& floor = json["floor"] = ordered_json::array();
  for (const FloorShift& shift : found.floor)
    floor.push_back({{"at_m", {shift.place_m.x(), shift.place_m.y()}},
                     {"shift_m", {shift.shift_m.x(), shift.shift_m.y()}}});
  return json;
}

void print_table(const std::vector<ComparedCamera>& cameras, const std::vector<std::string>& alone) {
  std::printf("%-10s %9s %9s %9s %12s %12s %14s %11s\n", "camera", "turned", "moved", "focal", "picture rms",
              "picture max", "floor median", "floor max");
  for (const ComparedCamera& camera : cameras) {
    const CameraComparison& found = camera.found;
    std::printf("%-10s %7.3f\u00b0 %6.1f mm %+7.2f %% %9.2f px %9.2f px %11.1f cm %8.1f cm\n",
                camera.name.c_str(), found.turned_deg, 1000 * found.moved_m, 100 * found.focal_share,
                found.rms_px, found.max_px, 100 * found.median_m, 100 * found.max_m);
  }
  for (const std::string& name : alone) std::printf("%-10s in one of them only\n", name.c_str());
}

const Camera* camera_of(const std::vector<Camera>& cameras, const std::string& name) {
  for (const Camera& camera : cameras)
    if (camera.name() == name) return &camera;
  return nullptr;
}

void compare(CompareCommand command) {
  const Project project = load_project_or_fail(command.chain);
  take_size_of(project, &command.read);
  std::vector<Camera> first = cameras_or_fail(command.first, command.read),
                      second = command.second.empty() ? first : cameras_or_fail(command.second, command.read);
  if (command.second.empty()) first = calibrated_or_fail(project);
  if (command.align) {
    const WorldChange change = value_or_fail(align_cameras(second, first));
    for (Camera& camera : second) camera = in_changed_world(camera, change);
  }
  const Result<VoxelGrid> grid = region_of(project, first);
  std::vector<ComparedCamera> compared;
  std::vector<std::string> alone;
  for (const Camera& camera : first)
    if (const Camera* other = camera_of(second, camera.name()))
      compared.push_back(
          {camera.name(), value_or_fail(compare_cameras(camera, *other, grid ? &*grid : nullptr))});
    else
      alone.push_back(camera.name());
  for (const Camera& camera : second)
    if (!camera_of(first, camera.name())) alone.push_back(camera.name());
  if (compared.empty())
    fail_command({ErrorKind::not_found, "the two calibrations have no camera of the same name", command.first,
                  "Compare calibrations of the same cameras."});
  std::optional<ComparedByPeople> by_people;
  if (command.people.used) {
    by_people =
        compare_by_people_or_fail(command.people, command.chain, project, first, second, value_or_fail(grid));
  }
  if (!command.json) {
    print_table(compared, alone);
    if (by_people) print_people(*by_people);
    return;
  }
  ordered_json json = {{"schema", "vantage-compare-1"}};
  for (const ComparedCamera& camera : compared) json["cameras"].push_back(camera_json(camera));
  json["alone"] = alone;
  if (by_people) {
    std::vector<std::string> names;
    for (const ProjectCamera& camera : project.cameras) names.push_back(camera.name);
    json["people"] = people_json(*by_people, names);
  }
  print_json(json);
}

}  // namespace

void add_compare(CLI::App& calibrate) {
  auto command = std::make_shared<CompareCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "compare", "Compares two calibrations: poses, pictures in pixels, the floor in centimetres.");
  app->footer(
      "The floor is that of the project's region. Pixels are compared where each ray of A meets the floor, "
      "or 10 m away.\n"
      "Example: vantage-cli calibrate compare hall.vantage before.json after.json\n"
      "With --people the chain runs under both. One is called better only where figures differ by more than "
      "they vary over time.\n"
      "Example: vantage-cli calibrate compare hall.vantage before.json after.json --people");
  add_chain_options(*app, command->chain);
  app->add_option("a", command->first, "A calibration file or project")->required();
  app->add_option("b", command->second, "Another one; without it the project's own is compared with A");
  app->add_flag(
      "--align", command->align,
      "First move and scale B's world so that its cameras coincide with A's: only the shape is compared");
  add_compare_people_options(*app, &command->people, &command->chain);
  add_read_options(*app, &command->read);
  add_json_flag(*app, &command->json);
  app->callback([command] { compare(*command); });
}

}  // namespace vantage::cli
