#include "app/cli/calibrate/calibrate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/calibration/formats/calibration.h"
#include "core/calibration/people/refine.h"
#include "core/project/camera_in_time.h"
#include "core/run/calibrations_by_people.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

struct PeopleCommand {
  ChainOptions chain;
  std::vector<std::string> cameras;
  std::string out;
  double height_m = 0;  // 0: not stated
  bool solve_lens = false, json = false;
};

double floor_shift_of(const PeopleSolvedCamera& camera, const Camera& given, const VoxelGrid& grid) {
  return floor_effect(given, camera.change, camera.covariance, grid).largest_m;
}

// Where an all-free solution's scale is from.
const char* scale_text(const PeopleCommand& command) {
  return command.height_m > 0 ? "height of people" : "given calibration";
}

ordered_json lens_json(const PeopleLens& lens) {
  ordered_json json = {{"held", lens_is_held(lens.verdict)}, {"verdict", lens_verdict_name(lens.verdict)}};
  if (lens.verdict == LensVerdict::not_judged) return json;
  if (!lens_is_held(lens.verdict)) json["determined"] = lens.verdict == LensVerdict::solved;
  json["focal_change"] = lens.focal_change, json["focal_std"] = lens.focal_std;
  json["k1_change"] = lens.k1_change, json["k1_std"] = lens.k1_std, json["corner_px"] = lens.corner_px;
  return json;
}

ordered_json report_json(const PeopleCommand& command, const PeopleSolution& solution,
                         const std::vector<Camera>& given, const VoxelGrid& grid) {
  ordered_json json = {
      {"schema", "vantage-people-calibration-1"}, {"frames", solution.frames}, {"people", solution.people}};
  if (solution.all_free)
    json["world"] = {{"scale", scale_text(command)},
                     {"scaled_by", solution.scale},
                     {"floor", "feet"},
                     {"mean_height_m", solution.mean_height_m}};
  for (size_t c = 0; c < solution.cameras.size(); ++c) {
    const PeopleSolvedCamera& camera = solution.cameras[c];
    ordered_json one = {{"name", camera.camera.name()},
                        {"solved", camera.free && camera.determined},
                        {"outlines", camera.outlines},
                        {"before_px", camera.before_px},
                        {"after_px", camera.after_px}};
    if (camera.free) {
      const auto degrees = [&](int axis) { return camera.change[axis] * 180 / M_PI; };
      one["determined"] = camera.determined;
      one["turned_deg"] = {degrees(0), degrees(1), degrees(2)}, one["turned_std_deg"] = camera.turned_std_deg;
      one["moved_m"] = {camera.change[3], camera.change[4], camera.change[5]};
      one["moved_std_m"] = camera.moved_std_m;
      one["floor_shift_m"] = floor_shift_of(camera, given[c], grid);
      one["lens"] = lens_json(camera.lens);
      if (camera.lens.verdict != LensVerdict::not_judged && lens_is_held(camera.lens.verdict))
        one["turned_any_lens_deg"] = camera.turned_any_lens_deg,
        one["moved_any_lens_m"] = camera.moved_any_lens_m;
    }
    json["cameras"].push_back(std::move(one));
  }
  return json;
}

void print_world(const PeopleCommand& command, const PeopleSolution& solution) {
  if (command.height_m > 0)
    std::printf("scale from the stated height of people: the world became %.4f times as large;",
                solution.scale);
  else
    std::printf("scale as in the given calibration: the cameras' mean distance stays;");
  std::printf(
      " mean height of people %.2f m; floor from their feet; origin and x axis as close to the given ones as "
      "possible\n",
      solution.mean_height_m);
}

void print_report(const PeopleCommand& command, const PeopleSolution& solution,
                  const std::vector<Camera>& given, const VoxelGrid& grid) {
  std::printf("%lld people in %lld frames, each frame counted\n", static_cast<long long>(solution.people),
              static_cast<long long>(solution.frames));
  if (solution.all_free) print_world(command, solution);
  const std::vector<size_t> wrong = wrong_lenses(solution);
  for (size_t c = 0; c < solution.cameras.size(); ++c) {
    const PeopleSolvedCamera& camera = solution.cameras[c];
    const char* name = camera.camera.name().c_str();
    if (!camera.free)
      std::printf("%-10s fixed; outlines miss by %.1f px\n", name, camera.after_px);
    else if (!camera.determined)
      std::printf("%-10s kept as given: %s (+- %.2f degrees, +- %.0f mm)\n", name,
                  wrong.empty() ? "the footage does not determine it" : "a wrong lens distorts all poses",
                  camera.turned_std_deg, 1000 * camera.moved_std_m);
    else
      std::printf(
          "%-10s turned by %.2f degrees (+- %.2f), moved by %.0f mm (+- %.0f); up to %.1f cm on the floor; "
          "outlines missed by %.1f px, now %.1f\n",
          name, camera.turned_deg, camera.turned_std_deg, 1000 * camera.moved_m, 1000 * camera.moved_std_m,
          100 * floor_shift_of(camera, given[c], grid), camera.before_px, camera.after_px);
    if (const std::string text = lens_text(camera.lens); !text.empty())
      std::printf("%-10s %s\n", "", text.c_str());
    else if (camera.free)
      std::printf("%-10s the lens is fixed, and treated as exact\n", "");
    if (camera.lens.verdict == LensVerdict::fits && camera.determined)
      std::printf("%-10s if the lens is not as given: +- %.2f degrees, +- %.0f mm\n", "",
                  camera.turned_any_lens_deg, 1000 * camera.moved_any_lens_m);
  }
  if (!wrong.empty())
    std::printf("%s. Solve the lenses, too (--solve-lens), or from clips of a board (calibrate boards).\n",
                wrong_lenses_text(solution).c_str());
}

void people(const PeopleCommand& command) {
  const FrameRange asked = parse_frames(command.chain.frames);
  OpenedChain chain = open_chain_or_fail(command.chain, load_project_or_fail(command.chain));
  const FrameRange range = cut_to_recording_or_fail(asked, chain.analysis->source());
  std::vector<bool> free(chain.project.cameras.size(), false);
  if (std::find(command.cameras.begin(), command.cameras.end(), "all") != command.cameras.end())
    free.assign(free.size(), true);
  for (const std::string& name : command.cameras)
    if (name != "all") free[static_cast<size_t>(camera_named(chain.project, name, "--camera"))] = true;
  const bool all_free = std::find(free.begin(), free.end(), false) == free.end();
  if (command.height_m > 0 && !all_free)
    throw CLI::ValidationError("--height", "sets the scale only where all cameras are free: --camera all");
  if (command.solve_lens && !all_free)
    throw CLI::ValidationError("--solve-lens",
                               "people determine lenses only where all cameras are free: --camera all");
  Progress progress("people");
  const PeopleSolution solution = value_or_fail(place_by_people(
      chain.project, *chain.analysis, free, range,
      [&](int64_t done, int64_t total) { progress.update(done, total); }, interrupted(),
      command.height_m > 0 ? std::optional(command.height_m) : std::nullopt, command.solve_lens));
  if (!command.out.empty()) {
    std::vector<Camera> cameras;
    for (const PeopleSolvedCamera& camera : solution.cameras) cameras.push_back(camera.camera);
    check_or_fail(write_file_atomically(command.out, calibration_to_json(cameras)));
  }
  const VoxelGrid& grid = *chain.analysis->grid();
  const std::vector<Camera> given = chain.project.named_calibrations(range.begin);
  if (command.json)
    print_json(report_json(command, solution, given, grid));
  else
    print_report(command, solution, given, grid);
}

}  // namespace

void add_people(CLI::App& calibrate) {
  auto command = std::make_shared<PeopleCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "people", "Solves camera poses from the people who walk through a project's footage.");
  app->footer(
      "The outlines of people in the foreground masks give the poses of the named cameras relative to the "
      "others, which are fixed. With --camera all every camera is free: heads and feet are used, too, from "
      "masks or, where the project has a detector or detection files, from boxes. Lenses are fixed. With "
      "--camera all they are tested: a lens that does not fit is named, and nothing is changed.\n"
      "Example: vantage-cli calibrate people hall.vantage --camera cam2 --out hall.json\n"
      "Example: vantage-cli calibrate people hall.vantage --camera all --height 1.75 --out hall.json");
  add_chain_options(*app, command->chain);
  add_frames_option(*app, command->chain);
  app->add_option("--camera", command->cameras,
                  "A camera whose pose differs from its calibration; at least two others stay fixed. all: "
                  "every camera")
      ->required();
  app->add_option("--height", command->height_m,
                  "With --camera all: mean height of the people, which sets the scale; if absent the "
                  "cameras' mean distance stays as calibrated")
      ->type_name("METRES")
      ->check(CLI::Range(0.5, 2.5));
  app->add_flag("--solve-lens", command->solve_lens,
                "With --camera all: also solve each camera's focal length and k1, which are otherwise fixed");
  app->add_option("--out", command->out, "Write the calibration of all cameras to this file (Vantage JSON)");
  add_json_flag(*app, &command->json);
  app->callback([command] { people(*command); });
}

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
// The project's points were clicked before its cameras moved.
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
  add_json_flag(*app, &command->json);
  app->callback([app, command] {
    check_options(*app, *command);
    refine(*command);
  });
}

}  // namespace vantage::cli
