// vantage-cli calibrate report: what can be trusted of a project's calibration.
#include "app/cli/calibrate/calibrate_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/backends/backend_option.h"
#include "app/cli/calibrate/board_report.h"
#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/calibrate/report_html.h"
#include "app/cli/calibrate/uncertainty.h"
#include "app/cli/common/value_or_fail.h"
#include "app/cli/run/check_before_run.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/geometry/lens_inverse.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

struct ReportCommand {
  std::string project, html, json, uncertainty, backend = "auto";
  double noise_px = 1, height_m = 0;
  bool no_check = false;
};

void read_uncertainty(const std::string& file, std::vector<ReportedCamera>* cameras) {
  std::vector<Camera> named;
  for (const ReportedCamera& camera : *cameras) named.push_back(camera.uncertain.camera);
  const SolvedTogether solved = uncertainty_or_fail(file, named).solved;
  for (size_t c = 0; c < solved.cameras.size(); ++c)
    for (ReportedCamera& camera : *cameras) {
      if (camera.uncertain.camera.name() != solved.cameras[c].name()) continue;
      camera.uncertain.covariance = solved.of(c);
      camera.has_std = true;
      const CameraValues variances = camera.uncertain.covariance.diagonal();
      camera.turned_std_deg = std::sqrt(variances.head<3>().sum()) * 180 / M_PI;
      camera.moved_std_m = std::sqrt(variances.segment<3>(3).sum());
      camera.focal_std =
          std::sqrt(variances[6 + static_cast<Eigen::Index>(kFx)]) / camera.uncertain.camera.model().fx_px;
    }
}

void add_clicked(const Project& project, CalibrationReport* report) {
  if (project.points.empty()) return;
  PointsInput input;
  for (const ReportedCamera& camera : report->cameras)
    input.cameras.push_back({camera.uncertain.camera, false, false});
  input.points = project.points;
  const auto solution = solve_points(input);
  if (!solution) {
    report->notes.push_back(solution.error().message());
    return;
  }
  report->points = solution->points, report->notes = solution->notes;
}

CalibrationReport collect(const ReportCommand& command, const Project& project) {
  CalibrationReport report;
  report.project = project.path.filename().string();
  report.height_m = command.height_m, report.zones = project.zones;
  for (const Camera& camera : calibrated_or_fail(project)) {
    ReportedCamera one;
    one.uncertain.camera = camera, one.uncertain.sigma_px = command.noise_px;
    report.cameras.push_back(std::move(one));
  }
  if (!command.uncertainty.empty()) {
    read_uncertainty(command.uncertainty, &report.cameras);
    report.board_html = board_report_html(parse_ordered_json(value_or_fail(read_file(command.uncertainty))));
  }
  std::vector<UncertainCamera> uncertain;
  std::vector<Camera> cameras;
  for (const ReportedCamera& camera : report.cameras)
    uncertain.push_back(camera.uncertain), cameras.push_back(camera.uncertain.camera);
  const VoxelGrid grid = value_or_fail(region_of(project, cameras));
  report.map = value_or_fail(floor_error(uncertain, grid, command.height_m, interrupted()));
  add_clicked(project, &report);
  if (command.no_check) return report;
  const CheckOptions every_check;
  CheckReport checked = check_for(command.backend, project, every_check);
  for (CheckItem& item : checked.items)
    if (item.check == "calibration" || item.check == "view" || item.check == "silhouettes" ||
        item.check == "outlines")
      report.checks.push_back(std::move(item));
  return report;
}

ordered_json camera_json(const ReportedCamera& one) {
  const Camera& camera = one.uncertain.camera;
  const PinholeCamera<double>& m = camera.model();
  const Eigen::Vector3d at = camera.center_in_world_m();
  ordered_json json = {{"name", camera.name()},
                       {"size_px", {m.width_px, m.height_px}},
                       {"focal_px", {m.fx_px, m.fy_px}},
                       {"centre_px", {m.cx_px, m.cy_px}},
                       {"lens", lens_model_name(m.lens)},
                       {"distortion", lens_coefficients(m)},
                       {"rotation_cam_from_world", m.rotation_cam_from_world},
                       {"center_m", {at.x(), at.y(), at.z()}},
                       {"noise_px", one.uncertain.sigma_px}};
  if (one.has_std)
    json["turned_std_deg"] = one.turned_std_deg, json["moved_std_m"] = one.moved_std_m,
    json["focal_std"] = one.focal_std;
  return json;
}

ordered_json report_json(const CalibrationReport& report) {
  ordered_json json = {{"schema", "vantage-calibration-report-1"}, {"project", report.project}};
  for (const ReportedCamera& camera : report.cameras) json["cameras"].push_back(camera_json(camera));
  const FloorErrorMap& map = report.map;
  ordered_json& floor = json["floor_error"] = {{"height_m", report.height_m},
                                               {"origin_m", {map.x_m, map.y_m}},
                                               {"step_m", map.step_m},
                                               {"columns", map.columns},
                                               {"rows", map.rows},
                                               {"median_m", map.median_m},
                                               {"max_m", map.max_m},
                                               {"covered_share", map.covered_share}};
  floor["error_m"] = ordered_json::array();
  for (const auto& error_m : map.error_m)
    floor["error_m"].push_back(error_m ? ordered_json(*error_m) : ordered_json());
  for (const SolvedPoint& point : report.points) {
    ordered_json one = {{"name", point.name}, {"known", point.known}};
    if (point.at_m)
      one["at_m"] = {point.at_m->x(), point.at_m->y(), point.at_m->z()}, one["rms_px"] = point.rms_px;
    json["points"].push_back(std::move(one));
  }
  if (!report.notes.empty()) json["notes"] = report.notes;
  for (const CheckItem& item : report.checks)
    json["checks"].push_back({{"check", item.check},
                              {"camera", item.camera},
                              {"verdict", verdict_name(item.verdict)},
                              {"figure", item.figure},
                              {"limit", item.limit},
                              {"remedy", item.remedy}});
  return json;
}

void report(const ReportCommand& command) {
  if (command.html.empty() && command.json.empty())
    throw CLI::ValidationError("report", "give --html or --json, or both");
  const CalibrationReport report = collect(command, value_or_fail(load_project(command.project)));
  if (!command.html.empty()) check_or_fail(write_file_atomically(command.html, report_html(report)));
  if (!command.json.empty())
    check_or_fail(write_file_atomically(command.json, json_text(report_json(report), 2) + '\n'));
  std::printf(
      "%zu cameras; expected error on the floor: middle %.1f cm, largest %.1f cm; two cameras see %.0f %% "
      "of the region\n",
      report.cameras.size(), 100 * report.map.median_m, 100 * report.map.max_m,
      100 * report.map.covered_share);
}

}  // namespace

void add_report(CLI::App& calibrate) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "report",
      "Reports a calibration: lenses, poses, the expected error at each position of the floor, checks.");
  app->footer(
      "The error is that of a point triangulated by all cameras that see it. It follows from their pixel "
      "noise and, with --uncertainty, from the uncertainty of their poses.\n"
      "Example: vantage-cli calibrate report hall.vantage --html hall.html");
  app->add_option("project", command->project, "The project")->required()->type_name("P.vantage");
  app->add_option("--html", command->html, "Write the report as a page with the floor's picture")
      ->type_name("FILE.html");
  app->add_option("--json", command->json, "Write every figure as JSON")->type_name("FILE.json");
  app->add_option("--noise", command->noise_px, "Pixel noise of each camera's observations (px)")
      ->check(CLI::PositiveNumber);
  app->add_option("--height", command->height_m, "Height of the points above the floor (m)");
  app->add_option("--uncertainty", command->uncertainty,
                  "Report of calibrate boards or calibrate points (--json): the uncertainty of its cameras")
      ->type_name("REPORT.json");
  app->add_flag("--no-check", command->no_check, "Leave out the checks against the footage");
  add_backend_option(*app, command->backend, "device for the checks");
  app->callback([command] { report(*command); });
}

}  // namespace vantage::cli
