// vantage-cli calibrate compare: two calibrations of the same cameras side by side.
#include "app/cli/calibrate/calibrate_compare.h"

#include <cstdio>

#include "app/cli/calibrate/compare_people.h"
#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/json.h"
#include "core/calibration/solve/compare_cameras.h"

namespace vantage::cli {
namespace {

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
  app->add_flag("--json", command->json, "Print every figure as JSON");
  app->callback([command] { compare(*command); });
}

}  // namespace vantage::cli
