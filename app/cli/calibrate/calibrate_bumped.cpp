#include "app/cli/calibrate/calibrate_bumped.h"

#include <cstdio>

#include "app/cli/common/chain.h"
#include "app/cli/common/project_change.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"
#include "core/check/bumped_cameras.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

struct BumpedCommand {
  std::string project, out;
  std::vector<std::string> cameras;
  bool apply = false, json = false;
};

ordered_json report_json(const Project& project, const std::vector<WatchedCamera>& watched) {
  ordered_json json = {{"schema", "vantage-bumped-cameras-1"}, {"cameras", ordered_json::array()}};
  for (const WatchedCamera& camera : watched) {
    ordered_json one = {{"name", project.cameras[camera.camera].name}, {"jumps", ordered_json::array()}};
    if (!camera.untold.empty()) one["cannot_tell"] = camera.untold;
    for (size_t j = 0; j < camera.jumps.size(); ++j) {
      const SolvedJump& solved = camera.jumps[j];
      ordered_json jump = {
          {"last_frame_before", solved.jump.last_before}, {"first_frame_after", solved.jump.first_after},
          {"from_frame_set", camera.from_frames[j]},      {"moved_px", solved.jump.moved_px},
          {"places", solved.jump.places.size()},          {"solved", solved.solved()},
          {"in_project", solved.known.has_value()}};
      if (solved.known_px) jump["project_misses_px"] = *solved.known_px;
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

void print_report(const Project& project, const std::vector<WatchedCamera>& watched) {
  for (const WatchedCamera& camera : watched) {
    const char* name = project.cameras[camera.camera].name.c_str();
    if (camera.jumps.empty())
      std::printf("%-10s %s\n", name, camera.untold.empty() ? "stands still" : camera.untold.c_str());
    for (const SolvedJump& solved : camera.jumps) {
      std::printf("%-10s jumped by %.1f px between frames %lld and %lld", name, solved.jump.moved_px,
                  static_cast<long long>(solved.jump.last_before),
                  static_cast<long long>(solved.jump.first_after));
      if (solved.floor_m) std::printf("; %.1f cm on the floor", 100 * *solved.floor_m);
      if (solved.known) {
        std::printf("; the project has another calibration there");
        if (solved.known_px)
          std::printf(", with which %zu points miss by %.1f px", solved.jump.places.size(), *solved.known_px);
      } else if (solved.turn)
        std::printf("; turned by %.2f degrees; %zu points missed by %.1f px, now %.1f%s",
                    solved.turn->degrees, solved.jump.places.size(), solved.turn->before_px,
                    solved.turn->after_px,
                    solved.solved() ? "" : ": the camera also moved, and its pose is not solved");
      std::printf("\n");
    }
  }
}

void all_solved_or_fail(const Project& project, const std::vector<WatchedCamera>& watched) {
  for (const WatchedCamera& one : watched) {
    const std::string& name = project.cameras[one.camera].name;
    if (!one.solved())
      fail_command(
          {ErrorKind::bad_data, "the camera moved as well as turned, or it is not calibrated", name,
           "Solve its pose from people (vantage-cli calibrate people --camera " + name +
               " --frames, after the jump), and apply the result (vantage-cli calibrate apply --from)."});
  }
}

void bumped(const BumpedCommand& command) {
  ReadProject read = read_project_or_fail(command.project);
  Project& project = read.project;
  std::vector<bool> asked(project.cameras.size(), command.cameras.empty());
  for (const std::string& name : command.cameras)
    asked[static_cast<size_t>(camera_named(project, name, "--camera"))] = true;
  Progress progress("cameras");
  const std::vector<WatchedCamera> watched = value_or_fail(watch_cameras(
      project, asked, [&](int64_t done, int64_t total) { progress.update(done, total); }, interrupted()));
  if (command.json)
    print_json(report_json(project, watched));
  else
    print_report(project, watched);
  if (!command.apply && command.out.empty()) return;
  all_solved_or_fail(project, watched);
  const size_t changed = add_bumps(watched, &project);
  if (changed == 0 && project.calibration_changes().empty())
    fail_command({ErrorKind::bad_data, "no camera was bumped", project.path.string(), ""});
  if (!command.out.empty())
    check_or_fail(
        write_file_atomically(command.out, calibration_to_json(project.named_calibrations(INT64_MAX))));
  if (command.apply && changed > 0) write_project_or_fail(project, read.stamp);
}

}  // namespace

void add_bumped(CLI::App& calibrate) {
  auto command = std::make_shared<BumpedCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "bumped", "Finds cameras whose view jumped during a recording, and solves their pose after the jump.");
  app->footer(
      "Corners of the scene before and after the jump are compared. A rotation about the camera's centre "
      "that explains their shift gives the calibration from the jump on.\n"
      "Example: vantage-cli calibrate bumped hall.vantage --apply");
  app->add_option("project", command->project, "the project")->required()->type_name("P.vantage");
  app->add_option("--camera", command->cameras, "Examine this camera only (repeatable)");
  app->add_option("--out", command->out,
                  "Write the calibration of all cameras at the recording's end to this file (Vantage JSON)");
  app->add_flag("--apply", command->apply,
                "Give each bumped camera of the project a calibration from its jump on");
  app->add_flag("--json", command->json, "Print the report as JSON");
  app->callback([command] { bumped(*command); });
}

}  // namespace vantage::cli
