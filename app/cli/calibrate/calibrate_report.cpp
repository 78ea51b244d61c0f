// vantage-cli calibrate report: what can be trusted of a project's calibration.

#include "app/cli/calibrate/calibrate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/backends/backend_option.h"
#include "app/cli/calibrate/read_cameras.h"
#include "app/cli/calibrate/report_html.h"
#include "app/cli/calibrate/uncertainty.h"
#include "app/cli/common/command.h"
#include "app/cli/run/reported_run.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/quantile.h"
#include "core/base/text.h"
#include "core/geometry/lens_inverse.h"

namespace vantage::cli {
namespace {

// The part of a calibration's report that shows what calibrate boards left over: each camera's picture with
// its residuals as arrows and how many corners were seen where, pictures by their residuals, halves.

using nlohmann::ordered_json;

constexpr double kReportWidth_px = 420;  // of a camera's picture in the report
constexpr double kArrow_px = 7;          // of a residual in the middle, as drawn
constexpr size_t kWorstPictures = 5;

struct Residual {
  // "frame 12", of pictures for the lens "lens, frame 12", of views that link nothing "not linked, frame 12";
  // of several boards with ", board 2".
  std::string picture;
  double at_x = 0, at_y = 0, x = 0, y = 0;
};

struct ReportPicture {
  std::string name;
  int corners = 0;
  double sum2 = 0, max_px = 0;
  double rms_px() const { return std::sqrt(sum2 / corners); }
};

double json_number(const ordered_json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

std::string text_of(const ordered_json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string picture_name(const ordered_json& residual) {
  const auto linked = residual.find("linked");
  const char* kind = "";
  if (text_of(residual, "for") == "lens") kind = "lens, ";
  if (linked != residual.end() && *linked == false) kind = "not linked, ";
  std::string name = formatted("%sframe %.0f", kind, json_number(residual, "frame"));
  if (const double board = json_number(residual, "board"); board > 0)
    name += formatted(", board %.0f", board);
  return name;
}

std::vector<Residual> residuals_of(const ordered_json& report, const std::string& camera) {
  std::vector<Residual> residuals;
  const auto found = report.find("residuals");
  if (found == report.end() || !found->is_array()) return residuals;
  for (const ordered_json& one : *found) {
    if (!one.is_object() || text_of(one, "camera") != camera) continue;
    const auto at = one.find("seen_px");
    if (at == one.end() || !at->is_array() || at->size() != 2 || !(*at)[0].is_number() ||
        !(*at)[1].is_number())
      continue;
    residuals.push_back({picture_name(one), (*at)[0].get<double>(), (*at)[1].get<double>(),
                         json_number(one, "x_px"), json_number(one, "y_px")});
  }
  return residuals;
}

// 1, 2, 5, 10, 20, 50, ...: so that a residual in the middle is drawn about kArrow_px long.
double magnification(const std::vector<Residual>& residuals, double scale) {
  std::vector<double> lengths;
  for (const Residual& residual : residuals) lengths.push_back(std::hypot(residual.x, residual.y));
  const double wanted = kArrow_px / (scale * std::max(1e-6, quantile(std::move(lengths), 0.5)));
  double step = 1;
  for (int i = 0; step * 2 <= wanted && i < 20; ++i) step *= i % 3 == 1 ? 2.5 : 2;
  return step;
}

// Cells by how many corners were seen in them, from white to green; arrows from where a corner was seen.
std::string picture_svg(const ordered_json& camera, const std::vector<Residual>& residuals, double width,
                        double height) {
  const double scale = kReportWidth_px / width, larger = magnification(residuals, scale);
  std::string text = formatted(
      "<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" role=\"img\" aria-label=\"Residuals of %s\">\n",
      kReportWidth_px, scale * height, kReportWidth_px, xml_escaped(text_of(camera, "name")).c_str());
  const auto coverage = camera.find("coverage");
  if (coverage != camera.end() && coverage->is_array())
    for (size_t row = 0; row < coverage->size(); ++row)
      for (size_t column = 0; (*coverage)[row].is_array() && column < (*coverage)[row].size(); ++column) {
        const auto columns = static_cast<double>((*coverage)[row].size()),
                   rows = static_cast<double>(coverage->size());
        const ordered_json& cell = (*coverage)[row][column];
        const int corners = cell.is_number_integer() ? cell.get<int>() : 0;
        const double full = std::min(1.0, std::sqrt(std::max(0, corners)) / 10);
        text += formatted(
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"rgb(%.0f,255,%.0f)\" "
            "stroke=\"#ccc\"/><text x=\"%.1f\" y=\"%.1f\" font-size=\"9\" fill=\"#686\">%d</text>\n",
            kReportWidth_px * static_cast<double>(column) / columns,
            scale * height * static_cast<double>(row) / rows, kReportWidth_px / columns,
            scale * height / rows, 255 - 75 * full, 255 - 75 * full,
            kReportWidth_px * static_cast<double>(column) / columns + 3,
            scale * height * static_cast<double>(row) / rows + 10, corners);
      }
  for (const Residual& residual : residuals) {
    const double x = scale * residual.at_x, y = scale * residual.at_y;
    text += formatted(
        "<path d=\"M%.1f %.1f l%.1f %.1f\" stroke=\"#a22\"><title>%s: %.2f, %.2f px</title></path>"
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.2\" fill=\"#a22\"/>\n",
        x, y, scale * larger * residual.x, scale * larger * residual.y, residual.picture.c_str(), residual.x,
        residual.y, x, y);
  }
  return text + "</svg>\n" +
         formatted(
             "<p>Arrows: projected minus observed position, magnified %.0f times. Numbers: corners observed "
             "in that part.</p>\n",
             larger);
}

std::vector<ReportPicture> pictures_of(const std::vector<Residual>& residuals) {
  std::map<std::string, ReportPicture> by_name;
  for (const Residual& residual : residuals) {
    ReportPicture& picture = by_name[residual.picture];
    const double length = std::hypot(residual.x, residual.y);
    picture.name = residual.picture, ++picture.corners;
    picture.sum2 += length * length, picture.max_px = std::max(picture.max_px, length);
  }
  std::vector<ReportPicture> pictures;
  for (auto& [name, picture] : by_name) pictures.push_back(std::move(picture));
  std::stable_sort(pictures.begin(), pictures.end(),
                   [](const ReportPicture& a, const ReportPicture& b) { return a.rms_px() > b.rms_px(); });
  return pictures;
}

std::string worst_pictures(const std::vector<Residual>& residuals) {
  const std::vector<ReportPicture> pictures = pictures_of(residuals);
  std::string text = "<table><tr><th>picture</th><th>corners</th><th>RMS</th><th>largest</th></tr>\n";
  for (size_t i = 0; i < std::min(kWorstPictures, pictures.size()); ++i)
    text +=
        formatted("<tr><td>%s</td><td>%d</td><td>%.2f px</td><td>%.2f px</td></tr>\n",
                  pictures[i].name.c_str(), pictures[i].corners, pictures[i].rms_px(), pictures[i].max_px);
  text += "</table>\n";
  if (pictures.size() > kWorstPictures)
    text += formatted("<p>The worst %zu of %zu pictures; the best has %.2f px.</p>\n", kWorstPictures,
                      pictures.size(), pictures.back().rms_px());
  return text;
}

std::string sentences(const ordered_json& camera, const char* key, const char* before) {
  std::string text;
  const auto found = camera.find(key);
  if (found == camera.end() || !found->is_array()) return text;
  for (const ordered_json& one : *found)
    if (one.is_string()) text += std::string("<p>") + before + xml_escaped(one.get<std::string>()) + "</p>\n";
  return text;
}

std::string camera_part(const ordered_json& report, const ordered_json& camera) {
  const std::string name = text_of(camera, "name");
  const std::vector<Residual> residuals = residuals_of(report, name);
  const auto size = camera.find("size_px");
  const bool sized = size != camera.end() && size->is_array() && size->size() == 2 &&
                     (*size)[0].is_number() && (*size)[1].is_number() && (*size)[0] > 0 && (*size)[1] > 0;
  std::string text =
      "<h3>" + xml_escaped(name) + "</h3>\n" +
      formatted("<p>%.0f corners in %.0f pictures: RMS %.3f px, median %.3f px, largest %.2f px</p>\n",
                json_number(camera, "corners"), json_number(camera, "pictures"),
                json_number(camera, "rms_px"), json_number(camera, "median_px"),
                json_number(camera, "max_px"));
  text += sentences(camera, "held", "Not determined: ") + sentences(camera, "advice", "Record next: ");
  if (residuals.empty() || !sized) return text;
  return text + picture_svg(camera, residuals, (*size)[0].get<double>(), (*size)[1].get<double>()) +
         worst_pictures(residuals);
}

std::string halves(const ordered_json& found) {
  std::string text = formatted(
      "<h3>Halves</h3>\n<p>The solutions of the two halves of the pictures differ by %.2f times their "
      "standard deviations (%.0f values; 1 is expected).%s</p>\n<table><tr><th>camera</th><th>turned "
      "(expected)</th><th>moved (expected)</th><th>error on the other half (expected)</th></tr>\n",
      json_number(found, "ratio"), json_number(found, "values"),
      found.contains("doubtful") && found["doubtful"] == true
          ? " All standard deviations are enlarged by this factor."
          : "");
  if (found.contains("cameras") && found["cameras"].is_array())
    for (const ordered_json& camera : found["cameras"]) {
      if (!camera.is_object()) continue;
      text += "<tr><td>" + xml_escaped(text_of(camera, "name")) + "</td>";
      text +=
          camera.contains("turned_deg")
              ? formatted("<td>%.3f\u00b0 (%.3f\u00b0)</td><td>%.1f mm (%.1f mm)</td>",
                          json_number(camera, "turned_deg"), json_number(camera, "turned_std_deg"),
                          1000 * json_number(camera, "moved_m"), 1000 * json_number(camera, "moved_std_m"))
              : std::string("<td></td><td></td>");
      text += formatted("<td>%.3f px (%.3f px)</td></tr>\n", json_number(camera, "held_out_rms_px"),
                        json_number(camera, "expected_rms_px"));
    }
  return text + "</table>\n";
}

// `report`: what calibrate boards printed with --json. HTML; empty where it is no such report.
std::string board_report_html(const ordered_json& report) {
  if (!report.is_object() || text_of(report, "schema") != "vantage-boards-1" || !report.contains("cameras") ||
      !report["cameras"].is_array())
    return {};
  std::string text = "<h2>The board</h2>\n";
  if (const auto found = report.find("cross_validation"); found != report.end() && found->is_object())
    text += halves(*found);
  for (const ordered_json& camera : report["cameras"])
    if (camera.is_object()) text += camera_part(report, camera);
  return text;
}

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
