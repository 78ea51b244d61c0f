#include "app/cli/calibrate/calibrate_refine.h"

#include <algorithm>
#include <cstdio>

#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"
#include "core/calibration/people/refine.h"
#include "core/project/camera_in_time.h"
#include "core/run/place_by_people.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

struct RefineCommand {
  ChainOptions chain;
  std::vector<std::string> cameras;
  std::string by = "both", points, out;
  bool json = false;
};

const char* by_name(RefineBy by) {
  return by == RefineBy::people ? "people" : "points";
}

std::string names_of(const RefineStep& step, const Refinement& refined) {
  std::string names;
  for (const size_t c : step.cameras) names += (names.empty() ? "" : ", ") + refined.cameras[c].camera.name();
  return names;
}

ordered_json miss_json(const std::optional<HeldOutMiss>& miss) {
  if (!miss) return nullptr;
  return {{"before_px", miss->before}, {"after_px", miss->after}};
}

ordered_json report_json(const Refinement& refined) {
  ordered_json json = {{"schema", "vantage-refine-1"}, {"accepted", refined.accepted}};
  for (const RefinedCamera& camera : refined.cameras) {
    ordered_json one = {{"name", camera.camera.name()}, {"changed", camera.changed}};
    if (camera.changed) {
      const auto degrees = [&](int axis) { return camera.change[axis] * 180 / M_PI; };
      one["turned_deg"] = {degrees(0), degrees(1), degrees(2)}, one["turned_std_deg"] = camera.turned_std_deg;
      one["moved_m"] = {camera.change[3], camera.change[4], camera.change[5]};
      one["moved_std_m"] = camera.moved_std_m;
      one["floor_shift_m"] = camera.floor_m, one["floor_shift_std_m"] = camera.floor_std_m;
    }
    one["people"] = miss_json(camera.people), one["points"] = miss_json(camera.points);
    json["cameras"].push_back(std::move(one));
  }
  json["steps"] = ordered_json::array();
  for (const RefineStep& step : refined.steps) {
    ordered_json one = {{"by", by_name(step.by)}, {"taken", step.taken}, {"cameras", ordered_json::array()}};
    for (const size_t c : step.cameras) one["cameras"].push_back(refined.cameras[c].camera.name());
    one["world_by_centers"] = step.world_by_centers;
    one["before_px"] = step.miss.before, one["after_px"] = step.miss.after;
    if (!step.taken) one["why_not"] = step.why_not;
    json["steps"].push_back(std::move(one));
  }
  return json;
}

std::string misses_text(const RefinedCamera& camera) {
  std::string text;
  const auto add = [&](const char* what, const std::optional<HeldOutMiss>& miss) {
    if (!miss) return;
    text += camera.changed
                ? formatted("; held-out %s missed by %.2f px, now %.2f", what, miss->before, miss->after)
                : formatted("; held-out %s miss by %.2f px", what, miss->after);
  };
  add("outlines", camera.people), add("clicks", camera.points);
  return text;
}

void print_report(const Refinement& refined) {
  for (const RefinedCamera& camera : refined.cameras) {
    const char* name = camera.camera.name().c_str();
    if (camera.changed)
      std::printf(
          "%-10s turned by %.3f degrees (+- %.3f), moved by %.1f mm (+- %.1f); up to %.1f cm (+- %.1f) on "
          "the "
          "floor%s\n",
          name, camera.turned_deg, camera.turned_std_deg, 1000 * camera.moved_m, 1000 * camera.moved_std_m,
          100 * camera.floor_m, 100 * camera.floor_std_m, misses_text(camera).c_str());
    else
      std::printf("%-10s kept as given%s\n", name, misses_text(camera).c_str());
  }
  for (const RefineStep& step : refined.steps)
    std::printf("by %s, %s free: %s\n", by_name(step.by), names_of(step, refined).c_str(),
                step.taken ? formatted("accepted; hold-out data missed by %.2f px, then %.2f",
                                       step.miss.before, step.miss.after)
                                 .c_str()
                           : ("rejected: " + step.why_not).c_str());
  if (std::ranges::any_of(refined.steps,
                          [](const RefineStep& step) { return step.taken && step.world_by_centers; }))
    std::printf(
        "no pair of cameras keeps its given relative pose: all poses are solved, and the mean of the camera "
        "centres stays\n");
  if (!refined.accepted) std::printf("nothing better than the given calibration was found\n");
}

std::vector<bool> free_cameras(const RefineCommand& command, const Project& project) {
  const bool all =
      command.cameras.empty() || std::ranges::find(command.cameras, "all") != command.cameras.end();
  std::vector<bool> free(project.cameras.size(), all);
  for (const std::string& name : command.cameras)
    if (name != "all") free[static_cast<size_t>(camera_named(project, name, "--camera"))] = true;
  return free;
}

// Points that there are: none is a failure where they are asked for.
// Those of the project were clicked before its cameras stood otherwise.
std::vector<ClickedPoint> points_of(const RefineCommand& command, const Project& project, int64_t frame) {
  if (command.by == "people") return {};
  if (command.points.empty() && calibration_span(project, frame) > 0) {
    if (command.by == "both") return {};
    fail_command({ErrorKind::invalid_argument,
                  "points of the project were clicked before a camera's pose changed",
                  "frame " + std::to_string(frame), "Give points of these frames: --points."});
  }
  if (command.by == "both" && command.points.empty() && project.points.empty()) return {};
  return points_or_fail(project, command.points);
}

RefineInput input_by_people(const RefineCommand& command, Project project) {
  const FrameRange asked = parse_frames(command.chain.frames);
  OpenedChain chain = open_chain_or_fail(command.chain, std::move(project));
  const FrameRange range = cut_to_recording_or_fail(asked, chain.analysis->source());
  RefineInput input;
  input.free = free_cameras(command, chain.project);
  input.points = points_of(command, chain.project, range.begin);
  Progress progress("people");
  input.frames = value_or_fail(read_outlines(
      chain.project, *chain.analysis, range,
      [&](int64_t done, int64_t total) { progress.update(done, total); }, interrupted()));
  input.cameras = chain.project.named_calibrations(range.begin), input.grid = *chain.analysis->grid();
  return input;
}

RefineInput input_by_points(const RefineCommand& command, const Project& project) {
  RefineInput input;
  input.cameras = calibrated_or_fail(project, parse_frames(command.chain.frames).begin);
  if (!project.calibrated())
    fail_command({ErrorKind::invalid_argument, "not all cameras of the project are calibrated",
                  project.path.string(), "Calibrate them first: vantage-cli calibrate boards."});
  input.free = free_cameras(command, project);
  input.points = points_of(command, project, parse_frames(command.chain.frames).begin);
  input.grid = value_or_fail(region_of(project, input.cameras));
  return input;
}

// An option that would have no effect is wrong usage.
void check_options(const CLI::App& app, const RefineCommand& command) {
  if (command.by == "points")
    for (const char* option : {"--backend", "--set"})
      if (app.count(option) > 0)
        throw CLI::ValidationError(option, "has no effect with --by points, which reads no footage");
  if (command.by == "people" && !command.points.empty())
    throw CLI::ValidationError("--points", "has no effect with --by people: name --by both or points");
}

void refine(const RefineCommand& command) {
  Project project = load_project_or_fail(command.chain);
  free_cameras(command, project);  // a wrong name is said before footage is read
  const RefineInput input = command.by == "points" ? input_by_points(command, project)
                                                   : input_by_people(command, std::move(project));
  const Refinement refined = value_or_fail(refine_cameras(input, interrupted()));
  if (!command.out.empty() && refined.accepted) {
    std::vector<Camera> cameras;
    for (const RefinedCamera& camera : refined.cameras) cameras.push_back(camera.camera);
    check_or_fail(write_file_atomically(command.out, calibration_to_json(cameras)));
  }
  if (command.json)
    print_json(report_json(refined));
  else
    print_report(refined);
}

}  // namespace

void add_refine(CLI::App& calibrate) {
  auto command = std::make_shared<RefineCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "refine", "Improves a calibration that is nearly right, from walking people and clicked points.");
  app->footer(
      "A pose is accepted only where hold-out footage and points agree better with it, beyond their own "
      "scatter. Otherwise the calibration stays as it is, and no file is written.\n"
      "Example: vantage-cli calibrate refine hall.vantage --out better.json");
  add_chain_options(*app, command->chain);
  add_frames_option(*app, command->chain);
  app->add_option("--camera", command->cameras,
                  "A camera that is free; may be repeated. all, or without this option: every camera");
  app->add_option("--by", command->by, "What poses are solved from: people, points, or both as available")
      ->check(CLI::IsMember({"points", "people", "both"}))
      ->capture_default_str();
  add_points_option(*app, &command->points);
  app->add_option("--out", command->out,
                  "Write the calibration of all cameras to this file (Vantage JSON), if it is better");
  app->add_flag("--json", command->json, "Print the report as JSON");
  app->callback([app, command] {
    check_options(*app, *command);
    refine(*command);
  });
}

}  // namespace vantage::cli
