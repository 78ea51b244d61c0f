// vantage-cli calibrate report: how reliable a project's calibration is.

#include "app/cli/calibrate/calibrate.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/backends/backend_option.h"
#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/calibrate/report_pictures.h"
#include "app/cli/calibrate/uncertainty.h"
#include "app/cli/common/command.h"
#include "app/cli/run/reported_run.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/calibration/solve/points_solve.h"
#include "core/geometry/lens_inverse.h"

namespace vantage::cli {
namespace {

struct ReportedCamera {
  UncertainCamera uncertain;  // named
  bool has_std = false;       // its covariance is known
  double turned_std_deg = 0, moved_std_m = 0, focal_std = 0;
};

struct CalibrationReport {
  std::string project;
  std::vector<ReportedCamera> cameras;
  double height_m = 0;  // the map's
  FloorErrorMap map;
  std::vector<FloorZone> zones;
  std::vector<SolvedPoint> points;  // clicked in the project; may be none
  std::vector<std::string> notes;   // on these
  std::vector<CheckItem> checks;    // about the calibration; none: not checked
  nlohmann::ordered_json boards;    // the report on the boards; may be null
};

struct ReportCommand {
  std::string project, html, pdf, json, uncertainty, backend = "auto";
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
    report.boards = parse_ordered_json(value_or_fail(read_file(command.uncertainty)));
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

Report camera_report(const ReportedCamera& one, const std::vector<CheckItem>& checks) {
  const Camera& camera = one.uncertain.camera;
  const PinholeCamera<double>& m = camera.model();
  const Eigen::Vector3d at = camera.center_in_world_m(), ahead = camera.rotation_cam_from_world().row(2);
  std::string lens(lens_model_name(m.lens)), verdicts;
  for (const double value : lens_coefficients(m)) lens += fmt::format(" {:.5f}", value);
  for (const CheckItem& item : checks)
    if (item.camera == camera.name())
      append_item(&verdicts, item.check + ": " + std::string(verdict_name(item.verdict)));
  Report row;
  row.add("name", "camera", camera.name());
  row.add("size_px", "picture", {m.width_px, m.height_px}, size_text(m.width_px, m.height_px));
  row.add("focal_px", "focal length (px)", {m.fx_px, m.fy_px},
          fmt::format("{:.1f}, {:.1f}", m.fx_px, m.fy_px));
  row.add("centre_px", "centre (px)", {m.cx_px, m.cy_px}, fmt::format("{:.1f}, {:.1f}", m.cx_px, m.cy_px));
  row.add("lens", "lens", lens_model_name(m.lens), lens);
  row.add_data("distortion", lens_coefficients(m));
  row.add_data("rotation_cam_from_world", std::span(m.rotation_cam_from_world));
  row.add("center_m", "position (m)", at, fmt::format("{:.3f}, {:.3f}, {:.3f}", at.x(), at.y(), at.z()));
  const double tilt_deg = -std::asin(std::clamp(ahead.z(), -1.0, 1.0)) * 180 / M_PI;
  row.add({}, "downward tilt", {}, unit_text(tilt_deg, {"\u00b0", 1}));
  row.add({}, "known to", {},
          one.has_std ? fmt::format("\u00b1 {:.3f}\u00b0, \u00b1 {:.1f} mm", one.turned_std_deg,
                                    1000 * one.moved_std_m)
                      : "not stated");
  row.add_number("noise_px", "noise", one.uncertain.sigma_px, {"px", 2});
  row.add({}, "check", {}, verdicts.empty() ? "not checked" : verdicts);
  if (!one.has_std) return row;
  row.add_data("turned_std_deg", one.turned_std_deg), row.add_data("moved_std_m", one.moved_std_m);
  row.add_data("focal_std", one.focal_std);
  return row;
}

Report floor_report(const CalibrationReport& report) {
  const FloorErrorMap& map = report.map;
  Report floor{"Expected error " + (report.height_m == 0
                                        ? "on the floor"
                                        : fmt::format("{:.2f} m above the floor", report.height_m))};
  floor.add_data("height_m", report.height_m), floor.add_data("origin_m", {map.x_m, map.y_m});
  floor.add_data("step_m", map.step_m), floor.add_data("columns", map.columns);
  floor.add_data("rows", map.rows), floor.add_data("median_m", map.median_m);
  floor.add_data("max_m", map.max_m), floor.add_data("covered_share", map.covered_share);
  floor.add_data("error_m", map.error_m);
  floor.say(
      "Standard deviation across the floor of a point triangulated by all cameras that see it; middle "
      "{median_m:1*100} cm, largest {max_m:1*100} cm. Grey: seen by fewer than two cameras "
      "({covered_share:0*100} % of the region is seen). Darkest: " +
      unit_text(map.full_m(), {"cm", 1, 100}) + " and more.");
  return floor;
}

Report point_report(const SolvedPoint& point) {
  Report row;
  row.add("name", "point", point.name);
  row.add("known", "known to", point.known,
          !point.at_m   ? ""
          : point.known ? "measured"
                        : fmt::format("\u00b1 {:.1f} mm", 1000 * point.std_m.norm()));
  row.add({}, "views", {}, point.at_m ? std::to_string(point.clicks.size()) : "");
  if (!point.at_m) return row;
  row.add("at_m", "at (m)", *point.at_m,
          fmt::format("{:.3f}, {:.3f}, {:.3f}", point.at_m->x(), point.at_m->y(), point.at_m->z()));
  row.add_number("rms_px", "misses by", point.rms_px, {"px", 2});
  return row;
}

Report check_report(const CheckItem& item) {
  Report row;
  row.add("check", "check", item.check), row.add("camera", "camera", item.camera);
  row.add("verdict", "verdict", std::string(verdict_name(item.verdict)));
  row.add("figure", "found", item.figure), row.add("limit", "limit", item.limit);
  row.add("remedy", "what to do", remedy_text(item));
  return row;
}

Report report_of(const CalibrationReport& found) {
  Report report{"Calibration of " + found.project};
  report.add_data("schema", "vantage-calibration-report-1"), report.add_data("project", found.project);
  for (const ReportedCamera& camera : found.cameras)
    report.add_row("cameras", camera_report(camera, found.checks));
  report.add_section("floor_error", floor_report(found));
  for (const SolvedPoint& point : found.points) report.add_row("points", point_report(point));
  if (!found.notes.empty()) report.add_data("notes", found.notes);
  for (const std::string& note : found.notes) report.add_sentence(note);
  for (const CheckItem& item : found.checks) report.add_row("checks", check_report(item));
  return report;
}

// The plan and the pictures follow the figures of the floor.
Document page_of(const CalibrationReport& found, const Report& figures) {
  std::vector<Camera> cameras;
  for (const ReportedCamera& camera : found.cameras) cameras.push_back(camera.uncertain.camera);
  Document page{figures.title, {}};
  for (const ReportItem& item : figures.items) {
    if (item.key == "points") page.parts.emplace_back(DocumentHeading{"Clicked points"});
    if (item.key == "checks") page.parts.emplace_back(DocumentHeading{"Checks against the footage"});
    add_parts({{}, {item}}, &page);
    if (item.key != "floor_error") continue;
    page.parts.emplace_back(floor_plan(found.map, cameras, found.zones));
    add_board(found.boards, &page);
  }
  return page;
}

void report(const ReportCommand& command) {
  if (command.html.empty() && command.pdf.empty() && command.json.empty())
    throw CLI::ValidationError("report", "give --html, --pdf or --json, or several");
  const CalibrationReport report = collect(command, value_or_fail(load_project(command.project)));
  const Report figures = report_of(report);
  const Document page = page_of(report, figures);
  if (!command.html.empty()) check_or_fail(write_file_atomically(command.html, document_html(page)));
  const std::string made = utc_time(static_cast<double>(utc_now_ns()) * 1e-9);
  if (!command.pdf.empty())
    check_or_fail(write_file_atomically(command.pdf, value_or_fail(document_pdf(page, made))));
  if (!command.json.empty())
    check_or_fail(write_file_atomically(command.json, json_text(json_of(figures), 2) + '\n'));

  fmt::print(
      "{} cameras; expected error on the floor: middle {:.1f} cm, largest {:.1f} cm; two cameras see "
      "{:.0f} % "
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
  app->add_option("project", command->project, "the project")->required()->type_name("P.vantage");
  app->add_option("--html", command->html, "write the report as a page with the floor's picture")
      ->type_name("FILE.html");
  app->add_option("--pdf", command->pdf, "write the same as PDF")->type_name("FILE.pdf");
  app->add_option("--json", command->json, "write every figure as JSON")->type_name("FILE.json");
  app->add_option("--noise", command->noise_px, "pixel noise of each camera's observations (px)")
      ->check(CLI::PositiveNumber);
  app->add_option("--height", command->height_m, "height of the points above the floor (m)");
  app->add_option("--uncertainty", command->uncertainty,
                  "report of calibrate boards or calibrate points (--json): the uncertainty of its cameras")
      ->type_name("REPORT.json");
  app->add_flag("--no-check", command->no_check, "leave out the checks against the footage");
  add_backend_option(*app, command->backend, "device for the checks");
  app->callback([command] { report(*command); });
}

}  // namespace vantage::cli
