#include "app/cli/calibrate/calibrate_people.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"
#include "core/run/place_by_people.h"

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
  app->add_flag("--json", command->json, "Print the report as JSON");
  app->callback([command] { people(*command); });
}

}  // namespace vantage::cli
