#include "app/cli/calibrate/calibrate.h"

#include <algorithm>
#include <optional>

#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/calibration/formats/calibration.h"
#include "core/calibration/people/refine.h"
#include "core/calibration/solve/solution_report.h"
#include "core/project/camera_in_time.h"
#include "core/project/project_store.h"
#include "core/run/calibrations_by_people.h"

namespace vantage::cli {
namespace {

struct PeopleCommand {
  ChainOptions chain;
  std::vector<std::string> cameras;
  std::string out;
  double height_m = 0;  // 0: not stated
  bool solve_lens = false, json = false;
};

void people(const PeopleCommand& command) {
  const FrameRange asked = parse_frames(command.chain.frames);
  OpenedChain chain = open_chain_or_fail(command.chain, load_project_or_fail(command.chain));
  const FrameRange range = cut_to_recording_or_fail(asked, chain.analysis->source());
  std::vector<bool> free(chain.project.cameras.size(), false);
  if (std::find(command.cameras.begin(), command.cameras.end(), "all") != command.cameras.end())
    free.assign(free.size(), true);
  for (const std::string& name : command.cameras)
    if (name != "all") free[camera_named(chain.project, name, "--camera")] = true;
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
  const std::vector<Camera> given = chain.project.named_calibrations(range.begin);
  Report report = report_of(solution, given, &*chain.analysis->grid(), command.height_m > 0);
  if (!wrong_lenses(solution).empty())
    report.add_sentence("Solve the lenses, too (--solve-lens), or from clips of a board (calibrate boards).");
  print_report(report, command.json);
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
                  "a camera whose pose differs from its calibration; at least two others stay fixed. all: "
                  "every camera")
      ->required();
  app->add_option("--height", command->height_m,
                  "with --camera all: mean height of the people, which sets the scale; if absent the "
                  "cameras' mean distance stays as calibrated")
      ->type_name("METRES")
      ->check(CLI::Range(0.5, 2.5));
  app->add_flag("--solve-lens", command->solve_lens,
                "with --camera all: also solve each camera's focal length and k1, which are otherwise fixed");
  app->add_option("--out", command->out, "write the calibration of all cameras to this file (Vantage JSON)");
  add_json_flag(*app, &command->json);
  app->callback([command] { people(*command); });
}

namespace {

struct FootageCommand {
  ChainOptions chain;
  std::string out;
  double height_m = 0, max_offset_s = 10;  // height: 0: not stated
  bool apply = false, json = false;
};

void footage(const FootageCommand& command) {
  const FrameRange asked = parse_frames(command.chain.frames);
  OpenedChain chain = open_chain_or_fail(command.chain, load_project_or_fail(command.chain));
  const FrameRange range = cut_to_recording_or_fail(asked, chain.analysis->source());
  Progress progress("boxes");
  const FootageSolution solution = value_or_fail(solve_project_from_footage(
      chain.project, *chain.analysis, range, command.max_offset_s,
      command.height_m > 0 ? std::optional(command.height_m) : std::nullopt,
      [&](int64_t done, int64_t total) { progress.update(done, total); }, interrupted(),
      [&](const FootageProgress& solving) {
        progress.update("cameras", std::lround(100 * solving.done), 100);
      }));
  if (!command.out.empty()) {
    std::vector<Camera> cameras;
    for (const FootageSolvedCamera& camera : solution.cameras)
      if (camera.placed()) cameras.push_back(camera.camera);
    check_or_fail(write_file_atomically(command.out, calibration_to_json(cameras)));
  }
  if (command.apply) {
    const auto written = change_project_file(
        command.chain.project, [&](Project& stored) { return apply_footage_solution(solution, &stored); });
    if (!written) fail_command(written.error());
    tell_who_has_it(written->path);
  }
  print_report(report_of(solution), command.json);
}

}  // namespace

void add_footage(CLI::App& calibrate) {
  auto command = std::make_shared<FootageCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "footage", "Solves lenses, poses and offsets from nothing but people who walk in the footage.");
  app->footer(
      "For projects without a calibration; cameras stand still, and need not have started together. The "
      "boxes and joints of the project's detection files or model are used. A camera that people do not "
      "determine clearly stays open, with the reason and the footage that would place it; where no two can "
      "be placed, the exit code is 1, and nothing is written.\n"
      "Example: vantage-cli calibrate footage hall.vantage --height 1.75 --apply");
  add_chain_options(*app, command->chain);
  add_frames_option(*app, command->chain);
  app->add_option("--height", command->height_m,
                  "mean height of the people, which sets the scale; if absent that of adults, 1.69 m")
      ->type_name("METRES")
      ->check(CLI::Range(0.5, 2.5));
  app->add_option("--max-offset", command->max_offset_s, "maximum offset between two cameras")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 120.0))
      ->capture_default_str();
  app->add_option("--out", command->out,
                  "write the calibration of the solved cameras to this file (Vantage JSON)");
  app->add_flag("--apply", command->apply,
                "give the project's solved cameras their calibrations and offsets; open ones stay without");
  add_json_flag(*app, &command->json);
  app->callback([command] { footage(*command); });
}

namespace {

struct RefineCommand {
  ChainOptions chain;
  std::vector<std::string> cameras;
  std::string by = "both", points, out;
  bool json = false;
};

void add_miss(const char* key, const char* label, const RefinedCamera& camera,
              const std::optional<HeldOutMiss>& miss, Report* row) {
  if (!miss) return row->add_data(key, {});
  Report figures;
  figures.add_data("before_px", miss->before), figures.add_data("after_px", miss->after);
  row->add_section(key, std::move(figures));
  const std::string after = unit_text(miss->after, {"px", 2});
  row->add({}, label, {}, camera.changed ? unit_text(miss->before, {"", 2}) + " \u2192 " + after : after);
}

Report camera_report(const RefinedCamera& camera) {
  Report row;
  row.add("name", "camera", camera.camera.name());
  row.add("changed", "pose", camera.changed, camera.changed ? "changed" : "kept as given");
  if (camera.changed) {
    add_change(camera.change, camera.turned_std_deg, camera.moved_std_m, &row);
    row.add("floor_shift_m", "on the floor", camera.floor_m,
            unit_text(camera.floor_m, camera.floor_std_m, {"cm", 1, 100}));
    row.add_data("floor_shift_std_m", camera.floor_std_m);
  }
  add_miss("people", "held-out outlines missed by", camera, camera.people, &row);
  add_miss("points", "held-out clicks missed by", camera, camera.points, &row);
  return row;
}

Report step_report(const RefineStep& step, const Refinement& refined) {
  std::vector<std::string> names;
  std::string all_names;
  for (const size_t c : step.cameras) {
    names.push_back(refined.cameras[c].camera.name());
    append_item(&all_names, names.back());
  }
  const char* const by = step.by == RefineBy::people ? "people" : "points";
  Report row;
  row.add("by", "step by", by, by);
  row.add_data("taken", step.taken);
  row.add("cameras", "free", names, all_names);
  row.add_data("world_by_centers", step.world_by_centers);
  row.add_number("before_px", "hold-out data missed by", step.miss.before, {"px", 2});
  row.add_number("after_px", "then", step.miss.after, {"px", 2});
  row.add({}, "outcome", {}, step.taken ? "accepted" : "rejected: " + step.why_not);
  if (!step.taken) row.add_data("why_not", step.why_not);
  return row;
}

Report refine_report(const Refinement& refined) {
  Report report;
  report.add_data("schema", "vantage-refine-1");
  report.add_sentence("accepted", refined.accepted,
                      refined.accepted ? "" : "nothing better than the given calibration was found");
  for (const RefinedCamera& camera : refined.cameras) report.add_row("cameras", camera_report(camera));
  std::vector<Report> steps;
  for (const RefineStep& step : refined.steps) steps.push_back(step_report(step, refined));
  report.add_rows("steps", std::move(steps));
  if (std::ranges::any_of(refined.steps,
                          [](const RefineStep& step) { return step.taken && step.world_by_centers; }))
    report.add_sentence(
        "no pair of cameras keeps its given relative pose: all poses are solved, and the mean of the camera "
        "centres stays");
  return report;
}

std::vector<bool> free_cameras(const RefineCommand& command, const Project& project) {
  const bool all =
      command.cameras.empty() || std::ranges::find(command.cameras, "all") != command.cameras.end();
  std::vector<bool> free(project.cameras.size(), all);
  for (const std::string& name : command.cameras)
    if (name != "all") free[camera_named(project, name, "--camera")] = true;
  return free;
}

// Existing points; none is a failure if they are required. The project's points were clicked before its
// cameras moved.
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

// An option without effect is wrong usage.
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
  free_cameras(command, project);  // a wrong name is reported before footage is read
  const RefineInput input = command.by == "points" ? input_by_points(command, project)
                                                   : input_by_people(command, std::move(project));
  const Refinement refined = value_or_fail(refine_cameras(input, interrupted()));
  if (!command.out.empty() && refined.accepted) {
    std::vector<Camera> cameras;
    for (const RefinedCamera& camera : refined.cameras) cameras.push_back(camera.camera);
    check_or_fail(write_file_atomically(command.out, calibration_to_json(cameras)));
  }
  print_report(refine_report(refined), command.json);
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
                  "a camera that is free; may be repeated. all, or without this option: every camera");
  app->add_option("--by", command->by, "what poses are solved from: people, points, or both as available")
      ->check(CLI::IsMember({"points", "people", "both"}))
      ->capture_default_str();
  add_points_option(*app, &command->points);
  app->add_option("--out", command->out,
                  "write the calibration of all cameras to this file (Vantage JSON), if it is better");
  add_json_flag(*app, &command->json);
  app->callback([app, command] {
    check_options(*app, *command);
    refine(*command);
  });
}

}  // namespace vantage::cli
