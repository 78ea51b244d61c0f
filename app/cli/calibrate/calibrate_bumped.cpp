#include "app/cli/calibrate/calibrate_bumped.h"

#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/calibration/calibration.h"
#include "core/check/camera_view.h"
#include "core/video/no_video.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

struct BumpedCommand {
  std::string project, out;
  std::vector<std::string> cameras;
  bool json = false;
};

struct WatchedCamera {
  std::string name, untold;
  std::vector<SolvedJump> jumps;
};

ordered_json report_json(const std::vector<WatchedCamera>& watched) {
  ordered_json json = {{"schema", "vantage-bumped-cameras-1"}, {"cameras", ordered_json::array()}};
  for (const WatchedCamera& camera : watched) {
    ordered_json one = {{"name", camera.name}, {"jumps", ordered_json::array()}};
    if (camera.jumps.empty() && !camera.untold.empty()) one["cannot_tell"] = camera.untold;
    for (const SolvedJump& solved : camera.jumps) {
      ordered_json jump = {{"last_frame_before", solved.jump.last_before},
                           {"first_frame_after", solved.jump.first_after},
                           {"moved_px", solved.jump.moved_px},
                           {"places", solved.jump.places.size()},
                           {"solved", solved.solved()}};
      if (solved.turn) {
        jump["turned_deg"] = solved.turn->degrees;
        jump["before_px"] = solved.turn->before_px, jump["after_px"] = solved.turn->after_px;
      }
      if (solved.floor_m) jump["floor_m"] = *solved.floor_m;
      one["jumps"].push_back(std::move(jump));
    }
    json["cameras"].push_back(std::move(one));
  }
  return json;
}

void print_report(const std::vector<WatchedCamera>& watched) {
  for (const WatchedCamera& camera : watched) {
    const char* name = camera.name.c_str();
    if (camera.jumps.empty())
      std::printf("%-10s %s\n", name, camera.untold.empty() ? "stands still" : camera.untold.c_str());
    for (const SolvedJump& solved : camera.jumps) {
      std::printf("%-10s jumped by %.1f px between frames %lld and %lld", name, solved.jump.moved_px,
                  static_cast<long long>(solved.jump.last_before),
                  static_cast<long long>(solved.jump.first_after));
      if (solved.floor_m) std::printf("; %.1f cm on the floor", 100 * *solved.floor_m);
      if (solved.turn)
        std::printf("; turned by %.2f degrees; %zu places missed by %.1f px, now %.1f%s",
                    solved.turn->degrees, solved.jump.places.size(), solved.turn->before_px,
                    solved.turn->after_px,
                    solved.solved() ? "" : ": it was moved besides, and is not solved");
      std::printf("\n");
    }
  }
}

// All cameras as they stand at the end of the recording.
void write_cameras(const Project& project, const std::vector<WatchedCamera>& watched,
                   const std::string& path) {
  std::vector<Camera> cameras = project.named_calibrations();
  bool any = false;
  for (const WatchedCamera& one : watched)
    for (const SolvedJump& solved : one.jumps) {
      if (!solved.solved())
        fail_command({ErrorKind::bad_data, "its jump is not a turn alone, or it is not calibrated", one.name,
                      "Place it by people: vantage-cli calibrate people --camera " + one.name +
                          " --frames, from where it jumped."});
      for (Camera& camera : cameras)
        if (camera.name() == one.name) camera = solved.turn->camera, camera.set_name(one.name), any = true;
    }
  if (!any) fail_command({ErrorKind::bad_data, "no camera was bumped", project.path.string(), ""});
  check_or_fail(write_file_atomically(path, calibration_to_json(cameras)));
}

void bumped(const BumpedCommand& command) {
  const Project project = value_or_fail(load_project(command.project));
  std::vector<bool> asked(project.cameras.size(), command.cameras.empty());
  for (const std::string& name : command.cameras)
    asked[static_cast<size_t>(camera_named(project, name, "--camera"))] = true;
  std::optional<VoxelGrid> grid;
  if (project.calibrated())
    if (const auto fitted = project.effective_grid()) grid = *fitted;
  std::vector<WatchedCamera> watched;
  for (size_t c = 0; c < project.cameras.size(); ++c) {
    const ProjectCamera& camera = project.cameras[c];
    if (!asked[c] || names_no_video(camera.video)) continue;
    const ViewFinding found = value_or_fail(watch_view(camera.video, kWatchedViews, interrupted()));
    watched.push_back(
        {camera.name, found.untold, solve_jumps(found, camera.calibration, grid ? &*grid : nullptr)});
  }
  if (!command.out.empty()) write_cameras(project, watched, command.out);
  if (command.json)
    print_json(report_json(watched));
  else
    print_report(watched);
}

}  // namespace

void add_bumped(CLI::App& calibrate) {
  auto command = std::make_shared<BumpedCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "bumped",
      "Finds cameras whose view jumped in the middle of a recording, and solves how they stand then.");
  app->footer(
      "The scene's corners before and after are compared; a turn about the camera's centre that explains how "
      "they lie is the calibration from there on.\n"
      "Example: vantage-cli calibrate bumped hall.vantage --out after.json");
  app->add_option("project", command->project, "the project")->required()->type_name("P.vantage");
  app->add_option("--camera", command->cameras, "Look at this camera only (repeatable)");
  app->add_option("--out", command->out,
                  "Write the calibration of all cameras at the recording's end to this file (Vantage JSON)");
  app->add_flag("--json", command->json, "Print the report as JSON");
  app->callback([command] { bumped(*command); });
}

}  // namespace vantage::cli
