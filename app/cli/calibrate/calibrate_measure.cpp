// vantage-cli calibrate measure: what was measured with the ruler, by the project's calibration as it is.
#include "app/cli/calibrate/calibrate_measure.h"

#include <algorithm>
#include <cstdio>

#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/calibrate/uncertainty.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/formatted.h"
#include "core/base/json.h"
#include "core/calibration/solve/measure.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

struct MeasureCommand {
  std::string project, uncertainty;
  bool json = false;
};

struct MeasuredClicks {
  ClickedMeasure clicked;
  std::optional<Measured> found;
};

const char* kind_name(MeasureKind kind) {
  return kind == MeasureKind::distance ? "distance" : kind == MeasureKind::height ? "height" : "angle";
}

// Each camera once, in the clicks' order.
std::vector<std::string> clicked_in(const ClickedMeasure& measure) {
  std::vector<std::string> names;
  for (const MeasureClick& click : measure.clicks) {
    const std::string name = click.camera.empty() ? "scene" : click.camera;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

// Without those that no longer stand as they were solved.
SolvedTogether still_standing(ReadUncertainty read) {
  for (const std::string& name : read.stand_apart)
    for (Camera& camera : read.solved.cameras)
      if (camera.name() == name) camera.set_name({});
  return std::move(read.solved);
}

ordered_json measure_json(const MeasuredClicks& measure) {
  const bool angle = measure.clicked.kind == MeasureKind::angle;
  ordered_json json = {{"kind", kind_name(measure.clicked.kind)},
                       {"clicked_in", clicked_in(measure.clicked)}};
  if (!measure.found) return json;
  for (const Eigen::Vector3d& point : measure.found->points_m)
    json["points_m"].push_back({point.x(), point.y(), point.z()});
  if (measure.found->value) json[angle ? "value_deg" : "value_m"] = *measure.found->value;
  if (measure.found->std) json[angle ? "std_deg" : "std_m"] = *measure.found->std;
  return json;
}

void print_measure(const MeasuredClicks& measure) {
  const bool angle = measure.clicked.kind == MeasureKind::angle;
  std::string value = "not seen any more", where;
  if (measure.found && measure.found->value)
    value =
        angle ? formatted("%.1f\u00b0", *measure.found->value) : formatted("%.3f m", *measure.found->value);
  if (measure.found && measure.found->std)
    value += angle ? formatted(" \u00b1 %.1f\u00b0", *measure.found->std)
                   : formatted(" \u00b1 %.1f cm", 100 * *measure.found->std);
  for (const std::string& name : clicked_in(measure.clicked)) where += (where.empty() ? "" : ", ") + name;
  std::printf("%-9s %s (%s)\n", kind_name(measure.clicked.kind), value.c_str(), where.c_str());
}

void measure(const MeasureCommand& command) {
  const Project project = value_or_fail(load_project(command.project));
  const std::vector<Camera> cameras = calibrated_or_fail(project);
  std::vector<SolvedTogether> solved;
  if (!command.uncertainty.empty())
    solved.push_back(still_standing(uncertainty_or_fail(command.uncertainty, cameras)));
  ordered_json json = {{"schema", "vantage-measures-1"}, {"measures", ordered_json::array()}};
  for (const ClickedMeasure& clicked : project.measures) {
    const MeasuredClicks one{clicked, measured(clicked.kind, clicked.clicks, cameras, solved)};
    if (command.json)
      json["measures"].push_back(measure_json(one));
    else
      print_measure(one);
  }
  if (command.json)
    print_json(json);
  else if (project.measures.empty())
    std::printf("Nothing was measured in this project (the window's Calibrate, Measures).\n");
}

}  // namespace

void add_measure(CLI::App& calibrate) {
  auto command = std::make_shared<MeasureCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "measure",
      "Prints what was measured with the ruler: distances, heights and angles, with their uncertainty.");
  app->footer(
      "Measures are stored as clicks; their values follow the project's current calibration.\n"
      "Example: vantage-cli calibrate measure hall.vantage --uncertainty boards.json");
  app->add_option("project", command->project, "The project")->required()->type_name("P.vantage");
  app->add_option("--uncertainty", command->uncertainty,
                  "Report of calibrate boards or calibrate points (--json) on the project's calibration: "
                  "gives standard deviations")
      ->type_name("REPORT.json");
  app->add_flag("--json", command->json, "Print every measure as JSON");
  app->callback([command] { measure(*command); });
}

}  // namespace vantage::cli
