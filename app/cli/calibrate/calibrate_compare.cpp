// vantage-cli calibrate compare: two calibrations of the same cameras side by side.

#include "app/cli/calibrate/calibrate.h"

#include <fmt/core.h>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/calibration/solve/measure.h"
#include "core/results/truth_files.h"
#include "core/run/run_under_both.h"

namespace vantage::cli {
namespace {

// Compares two calibrations by the people in a project's footage: `calibrate compare --people`.

struct ComparePeopleOptions {
  bool used = false;
  std::string truth;  // a file of ground truth; empty: that drawn in the project
};

GroundTruth truth_of(const ComparePeopleOptions& options, const Project& project) {
  if (!options.truth.empty()) return value_or_fail(read_ground_truth(options.truth));
  return ground_truth_of(project.truth);
}

Report found_report(const char* name, const FoundUnder& found, int64_t alone,
                    const std::vector<std::string>& cameras) {
  Report report, outlines;
  for (size_t c = 0; c < cameras.size(); ++c) outlines.add_data(cameras[c], found.outlines_of_px[c]);
  report.add({}, "calibration", name);
  report.add_count("tracks", "tracks", found.tracks);
  report.add_count("person_frames", "person-frames", found.person_frames);
  report.add_count("alone", "of them alone", alone);
  report.add_number("height_m", "height", found.height_m, {"m", 3});
  report.add_number("height_scatter", "scatter", found.height_scatter, {"%", 2, 100});
  report.add_number("outlines_px", "outlines miss by", found.outlines_px, {"px", 2});
  report.add_section("outlines_of_px", std::move(outlines));
  return report;
}

const char* conclusion(GainVerdict verdict) {
  if (verdict == GainVerdict::better) return "B is better";
  if (verdict == GainVerdict::worse) return "A is better";
  return "which is better: cannot tell";
}

Report figure_report(std::string_view name, std::string_view title, double a, double b, const Unit& unit) {
  Report row;
  row.add("name", "figure", name, std::string(title));
  row.add_number("a", "A", a, unit), row.add_number("b", "B", b, unit);
  return row;
}

// --people, --gt and --frames; the chain's options require --people.
void add_compare_people_options(CLI::App& command, ComparePeopleOptions* options, ChainOptions* chain) {
  CLI::Option* const people = command.add_flag(
      "--people", options->used,
      "run the chain under both, and compare the people found: positions, heights, outlines, ground truth");
  add_frames_option(command, *chain);
  command.add_option("--gt", options->truth,
                     "with --people: ground truth as of evaluate; else what was drawn in the project");
  for (const char* name : {"--frames", "--gt", "--set", "--backend"}) command.get_option(name)->needs(people);
}

// Runs the chain under both calibrations, over the region `grid`; the second's world is that of the first.
ComparedByPeople compare_by_people_or_fail(const ComparePeopleOptions& options, const ChainOptions& asked,
                                           const Project& project, const std::vector<Camera>& first,
                                           const std::vector<Camera>& second, const VoxelGrid& grid) {
  const BothCalibrations both{{first, second}, grid, parse_frames(asked.frames), truth_of(options, project)};
  std::unique_ptr<OpenedChain> chain;
  int under = 0;
  const ProjectOpener open = [&](const Project& changed,
                                 const std::shared_ptr<KeptFrames>& kept) -> Result<OpenedProject> {
    fmt::print(stderr, "people under calibration {}\n", 'A' + under++);
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

Report people_report(const ComparedByPeople& compared, const std::vector<std::string>& cameras) {
  const CalibrationsByPeople& people = compared.people;
  Report report;
  report.add_data("frames", people.frames), report.say("people in {frames} frames");
  report.add_section("a", found_report("A", people.found[0], people.alone[0], cameras));
  report.add_section("b", found_report("B", people.found[1], people.alone[1], cameras));
  report.add_data("same", people.same), report.add_data("same_tracks", people.same_tracks);
  report.add_data("apart_median_m", people.apart_median_m),
      report.add_data("apart_p95_m", people.apart_p95_m);
  report.say(
      "the same people in both: {same} person-frames, {same_tracks} tracks of A; apart on the floor by "
      "{apart_median_m:1*100} cm in the median, {apart_p95_m:1*100} cm in 95 %");
  for (const JudgedFigure& figure : people.figures) {
    const Unit unit = figure.name == "height_scatter" ? Unit{"%", 3, 100} : Unit{"", 3};
    Report row = figure_report(figure.name, figure.title, figure.values[0], figure.values[1], unit);
    row.add("b_is", "B is", std::string(verdict_text(figure.verdict)));
    report.add_row("figures", std::move(row));
  }
  std::vector<Report> truth;
  for (const ComparedFigure& figure : compared.truth) {
    Report& row = truth.emplace_back(
        figure_report(figure.figure->name, figure.figure->title, figure.first, figure.second, {"", 3}));
    row.add_data("difference", figure.difference.value);
    row.add_data("from", figure.difference.from), row.add_data("to", figure.difference.to);
    row.add("b_is", "B is", std::string(verdict_text(figure.verdict)));
  }
  report.add_rows("truth", std::move(truth));
  report.add_sentence("b_is", verdict_text(compared.second_is()), conclusion(compared.second_is()));
  return report;
}

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

Report camera_report(const ComparedCamera& camera) {
  const CameraComparison& found = camera.found;
  Report row;
  row.add("name", "camera", camera.name);
  row.add_number("turned_deg", "turned", found.turned_deg, {"\u00b0", 3});
  row.add_number("moved_m", "moved", found.moved_m, {"mm", 1, 1000});
  row.add_number("focal_change", "focal", found.focal_share, {"%", 2, 100, true});
  row.add_number("picture_rms_px", "picture RMS", found.rms_px, {"px", 2});
  row.add_number("picture_max_px", "picture max", found.max_px, {"px", 2});
  row.add_number("floor_median_m", "floor median", found.median_m, {"cm", 1, 100});
  row.add_number("floor_max_m", "floor max", found.max_m, {"cm", 1, 100});
  std::vector<ReportValue> picture;
  for (auto line = found.picture_px.begin(); line != found.picture_px.end(); line += kComparedColumns)
    picture.emplace_back(std::vector<ReportValue>(line, line + kComparedColumns));
  row.add_data("picture_px", picture);
  std::vector<Report> floor(found.floor.size());
  for (size_t i = 0; i < floor.size(); ++i) {
    floor[i].add_data("at_m", found.floor[i].place_m);
    floor[i].add_data("shift_m", found.floor[i].shift_m);
  }
  row.add_rows("floor", std::move(floor));
  return row;
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
  Report report;
  report.add_data("schema", "vantage-compare-1");
  for (const ComparedCamera& camera : compared) report.add_row("cameras", camera_report(camera));
  report.add_data("alone", alone);
  for (const std::string& name : alone) report.add_sentence(name + " in one of them only");
  if (by_people) {
    std::vector<std::string> names;
    for (const ProjectCamera& camera : project.cameras) names.push_back(camera.name);
    report.add_section("people", people_report(*by_people, names));
  }
  print_report(report, command.json);
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
  app->add_option("a", command->first, "a calibration file or project")->required();
  app->add_option("b", command->second, "another one; without it the project's own is compared with A");
  app->add_flag(
      "--align", command->align,
      "first move and scale B's world so that its cameras coincide with A's: only the shape is compared");
  add_compare_people_options(*app, &command->people, &command->chain);
  add_read_options(*app, &command->read);
  add_json_flag(*app, &command->json);
  app->callback([command] { compare(*command); });
}

}  // namespace vantage::cli
