#include "app/cli/calibrate/report_pictures.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/base/quantile.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

// The part of a calibration's report with the residuals of calibrate boards: each camera's picture with its
// residuals as arrows and its coverage by corners, pictures by their residuals, halves.

constexpr double kReportWidth_px = 720;  // width of a picture in the report
constexpr double kArrow_px = 7;          // length of a residual in the middle, as drawn
constexpr size_t kWorstPictures = 5;

struct Residual {
  // "frame 12"; for pictures for the lens "lens, frame 12", for views that link nothing "not linked, frame
  // 12"; for several boards with ", board 2".
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
  std::string name = fmt::format("{}frame {:.0f}", kind, json_number(residual, "frame"));
  if (const double board = json_number(residual, "board"); board > 0)
    name += fmt::format(", board {:.0f}", board);
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

// 1, 2, 5, 10, 20, 50, ...: draws a residual of mean length as about kArrow_px.
double magnification(const std::vector<Residual>& residuals, double scale) {
  std::vector<double> lengths;
  for (const Residual& residual : residuals) lengths.push_back(std::hypot(residual.x, residual.y));
  const double wanted = kArrow_px / (scale * std::max(1e-6, quantile(std::move(lengths), 0.5)));
  double step = 1;
  for (int i = 0; step * 2 <= wanted && i < 20; ++i) step *= i % 3 == 1 ? 2.5 : 2;
  return step;
}

std::vector<std::pair<double, double>> rectangle(double left, double top, double width, double height) {
  return {{left, top}, {left + width, top}, {left + width, top + height}, {left, top + height}};
}

// Cells by their number of corners, from white to green; lines from the position of a corner.
DocumentMap residual_map(const ordered_json& camera, const std::vector<Residual>& residuals, double width,
                         double height, double larger) {
  const double pixel = width / kReportWidth_px;
  DocumentMap map{"Residuals of " + text_of(camera, "name"), 0, 0, width, height, {}, {}, {}};
  const auto coverage = camera.find("coverage");
  if (coverage != camera.end() && coverage->is_array())
    for (size_t row = 0; row < coverage->size(); ++row)
      for (size_t column = 0; (*coverage)[row].is_array() && column < (*coverage)[row].size(); ++column) {
        const ordered_json& cell = (*coverage)[row][column];
        const int corners = cell.is_number_integer() ? cell.get<int>() : 0;
        const auto pale =
            static_cast<uint8_t>(255 - 75 * std::min(1.0, std::sqrt(std::max(0, corners)) / 10));
        const double wide = width / static_cast<double>((*coverage)[row].size()),
                     tall = height / static_cast<double>(coverage->size()),
                     left = wide * static_cast<double>(column), top = tall * static_cast<double>(row);
        map.lines.push_back(
            {rectangle(left, top, wide, tall), pixel, {204, 204, 204}, true, "", {pale, 255, pale}});
        map.words.push_back(
            {left + 5 * pixel, top + 16 * pixel, 14 * pixel, std::to_string(corners), {102, 136, 102}});
      }
  for (const Residual& one : residuals)
    map.lines.push_back({{{one.at_x, one.at_y}, {one.at_x + larger * one.x, one.at_y + larger * one.y}},
                         2 * pixel,
                         {170, 34, 34},
                         false,
                         fmt::format("{}: {:.2f}, {:.2f} px", one.picture, one.x, one.y)});
  return map;
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

void add_worst_pictures(const std::vector<Residual>& residuals, Document* to) {
  const std::vector<ReportPicture> pictures = pictures_of(residuals);
  DocumentTable table{{"picture", "corners", "RMS", "largest"}, {}};
  for (size_t i = 0; i < std::min(kWorstPictures, pictures.size()); ++i)
    table.rows.push_back({pictures[i].name, std::to_string(pictures[i].corners),
                          unit_text(pictures[i].rms_px(), {"px", 2}),
                          unit_text(pictures[i].max_px, {"px", 2})});
  to->parts.emplace_back(std::move(table));
  if (pictures.size() > kWorstPictures)
    to->parts.emplace_back(
        DocumentText{fmt::format("The worst {} of {} pictures; the best has {:.2f} px.", kWorstPictures,
                                 pictures.size(), pictures.back().rms_px())});
}

void add_sentences(const ordered_json& camera, const char* key, const std::string& before, Document* to) {
  const auto found = camera.find(key);
  if (found == camera.end() || !found->is_array()) return;
  for (const ordered_json& one : *found)
    if (one.is_string()) to->parts.emplace_back(DocumentText{before + one.get<std::string>()});
}

void add_camera(const ordered_json& report, const ordered_json& camera, Document* to) {
  const std::string name = text_of(camera, "name");
  const std::vector<Residual> residuals = residuals_of(report, name);
  const auto size = camera.find("size_px");
  const bool sized = size != camera.end() && size->is_array() && size->size() == 2 &&
                     (*size)[0].is_number() && (*size)[1].is_number() && (*size)[0] > 0 && (*size)[1] > 0;
  to->parts.emplace_back(DocumentHeading{name});
  to->parts.emplace_back(DocumentText{fmt::format(
      "{:.0f} corners in {:.0f} pictures: RMS {:.3f} px, median {:.3f} px, largest {:.2f} px",
      json_number(camera, "corners"), json_number(camera, "pictures"), json_number(camera, "rms_px"),
      json_number(camera, "median_px"), json_number(camera, "max_px"))});
  add_sentences(camera, "held", "Not determined: ", to), add_sentences(camera, "advice", "Record next: ", to);
  if (residuals.empty() || !sized) return;
  const auto width = (*size)[0].get<double>();
  const double larger = magnification(residuals, kReportWidth_px / width);
  to->parts.emplace_back(residual_map(camera, residuals, width, (*size)[1].get<double>(), larger));
  to->parts.emplace_back(
      DocumentText{fmt::format("Lines: projected minus observed position, magnified {:.0f} times. Numbers: "
                               "corners observed in that part.",
                               larger)});
  add_worst_pictures(residuals, to);
}

void add_halves(const ordered_json& found, Document* to) {
  const bool doubtful = found.contains("doubtful") && found["doubtful"] == true;
  to->parts.emplace_back(DocumentText{
      fmt::format(
          "The solutions of the two halves of the pictures differ by {:.2f} times their standard deviations "
          "({:.0f} values; 1 is expected).",
          json_number(found, "ratio"), json_number(found, "values")) +
      (doubtful ? " All standard deviations are enlarged by this factor." : "")});
  if (!found.contains("cameras") || !found["cameras"].is_array()) return;
  DocumentTable table{
      {"camera", "turned (expected)", "moved (expected)", "error on the other half (expected)"}, {}};
  for (const ordered_json& camera : found["cameras"]) {
    const auto both = [&](const char* key, const char* expected, const Unit& unit) {
      return camera.contains(key) ? unit_text(json_number(camera, key), unit) + " (" +
                                        unit_text(json_number(camera, expected), unit) + ")"
                                  : std::string();
    };
    if (camera.is_object())
      table.rows.push_back({text_of(camera, "name"), both("turned_deg", "turned_std_deg", {"\u00b0", 3}),
                            both("moved_m", "moved_std_m", {"mm", 1, 1000}),
                            both("held_out_rms_px", "expected_rms_px", {"px", 3})});
  }
  to->parts.emplace_back(std::move(table));
}

// The floor, y up: cells from pale yellow to dark red, zones, cameras with their views.
class FloorPlan {
 public:
  FloorPlan(const FloorErrorMap& map, const std::vector<Camera>& cameras, const std::vector<FloorZone>& zones)
      : floor_(map), cameras_(cameras), zones_(zones) {
    constexpr double kAround_m = 0.5;
    low_ = {map.x_m, map.y_m}, high_ = low_ + map.step_m * Eigen::Vector2d(map.columns, map.rows);
    for (const Camera& camera : cameras) {
      const Eigen::Vector2d at = camera.center_in_world_m().head<2>();
      low_ = low_.cwiseMin(at), high_ = high_.cwiseMax(at);
    }
    low_ -= Eigen::Vector2d::Constant(kAround_m), high_ += Eigen::Vector2d::Constant(kAround_m);
    pixel_m_ = (high_.x() - low_.x()) / kReportWidth_px;
  }

  DocumentMap draw() {
    map_ = {"Expected error on the floor", low_.x(), -high_.y(), high_.x() - low_.x(),
            high_.y() - low_.y(),          {},       {},         {}};
    add_cells();
    for (const FloorZone& zone : zones_) {
      MapLine line{{}, 2 * pixel_m_, {34, 34, 85}, false, zone.name};
      for (const Eigen::Vector2d& corner : zone.corners_m) line.points.emplace_back(corner.x(), -corner.y());
      line.points.push_back(line.points.front());
      map_.words.push_back(
          {line.points[0].first, line.points[0].second, 12 * pixel_m_, zone.name, line.color});
      map_.lines.push_back(std::move(line));
    }
    for (const Camera& camera : cameras_) add_camera(camera);
    return std::move(map_);
  }

 private:
  static DocumentColor color_of(double share) {
    const double s = std::clamp(share, 0.0, 1.0);
    return {static_cast<uint8_t>(255 - 75 * s), static_cast<uint8_t>(245 - 205 * s),
            static_cast<uint8_t>(200 - 170 * s)};
  }

  void add_cells() {
    constexpr double kMinWithText_px = 24;  // smaller cells have no figure
    for (int row = 0; row < floor_.rows; ++row)
      for (int column = 0; column < floor_.columns; ++column) {
        const auto& error_m = floor_.error_m[row * floor_.columns + column];
        const double left = floor_.x_m + column * floor_.step_m,
                     top = -floor_.y_m - (row + 1) * floor_.step_m;
        const DocumentColor color =
            error_m ? color_of(*error_m / floor_.full_m()) : DocumentColor{221, 221, 221};
        map_.lines.push_back({rectangle(left, top, floor_.step_m, floor_.step_m), 0, color, true,
                              error_m ? unit_text(*error_m, {"cm", 1, 100}) : "", color});
        if (error_m && floor_.step_m >= kMinWithText_px * pixel_m_)
          map_.words.push_back({left + 0.25 * floor_.step_m, top + 0.6 * floor_.step_m, 9 * pixel_m_,
                                unit_text(*error_m, {"", 1, 100})});
      }
  }

  void add_camera(const Camera& camera) {
    constexpr double kSize_px = 13, kLetter_px = 8;
    const Eigen::Vector3d at = camera.center_in_world_m(), ahead = camera.rotation_cam_from_world().row(2);
    const double turn = std::atan2(ahead.y(), ahead.x());
    const double half = std::atan(camera.width_px() / (2 * camera.model().fx_px));
    const double reach_m = 45 * pixel_m_;
    const auto end = [&](double angle) {
      return std::pair(at.x() + reach_m * std::cos(angle), -at.y() - reach_m * std::sin(angle));
    };
    map_.lines.push_back({{{at.x(), -at.y()}, end(turn - half), end(turn + half)},
                          pixel_m_,
                          {34, 68, 102},
                          true,
                          camera.name(),
                          {170, 190, 215}});
    const double width = kLetter_px * pixel_m_ * static_cast<double>(camera.name().size());
    const double left = std::clamp(at.x() + 4 * pixel_m_, low_.x(), std::max(low_.x(), high_.x() - width));
    map_.words.push_back({left, std::max(-at.y() - 4 * pixel_m_, map_.top + kSize_px * pixel_m_),
                          kSize_px * pixel_m_, camera.name()});
  }

  const FloorErrorMap& floor_;
  const std::vector<Camera>& cameras_;
  const std::vector<FloorZone>& zones_;
  DocumentMap map_;
  Eigen::Vector2d low_, high_;
  double pixel_m_ = 1;
};

}  // namespace

void add_board(const ordered_json& report, Document* to) {
  if (!report.is_object() || text_of(report, "schema") != "vantage-boards-1" || !report.contains("cameras") ||
      !report["cameras"].is_array())
    return;
  to->parts.emplace_back(DocumentHeading{"The board"});
  if (const auto found = report.find("cross_validation"); found != report.end() && found->is_object())
    add_halves(*found, to);
  for (const ordered_json& camera : report["cameras"])
    if (camera.is_object()) add_camera(report, camera, to);
}

DocumentMap floor_plan(const FloorErrorMap& map, const std::vector<Camera>& cameras,
                       const std::vector<FloorZone>& zones) {
  return FloorPlan(map, cameras, zones).draw();
}

}  // namespace vantage::cli
