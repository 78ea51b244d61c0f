#include "app/cli/calibrate/board_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/formatted.h"
#include "core/base/quantile.h"
#include "core/base/xml_escaped.h"

namespace vantage::cli {
namespace {

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

}  // namespace

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

}  // namespace vantage::cli
