#include "app/cli/calibrate/report_html.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/geometry/lens_inverse.h"

namespace vantage::cli {
namespace {

constexpr double kPlan_px = 860;        // the plan's width
constexpr double kAround_m = 0.5;       // shown beyond the cameras
constexpr double kMinWithText_px = 24;  // smaller cells hold no figure

// Colours run from pale yellow to dark red.
std::string colour_of(double share) {
  const double s = std::clamp(share, 0.0, 1.0);
  return formatted("rgb(%d,%d,%d)", static_cast<int>(255 - 75 * s), static_cast<int>(245 - 205 * s),
                   static_cast<int>(200 - 170 * s));
}

// The plan: y up, in pixels.
class Plan {
 public:
  explicit Plan(const CalibrationReport& report) : report_(report) {
    const FloorErrorMap& map = report.map;
    low_ = {map.x_m, map.y_m};
    high_ = low_ + map.step_m * Eigen::Vector2d(map.columns, map.rows);
    for (const ReportedCamera& camera : report.cameras) {
      const Eigen::Vector2d at = camera.uncertain.camera.center_in_world_m().head<2>();
      low_ = low_.cwiseMin(at), high_ = high_.cwiseMax(at);
    }
    low_ -= Eigen::Vector2d::Constant(kAround_m), high_ += Eigen::Vector2d::Constant(kAround_m);
    scale_ = kPlan_px / (high_.x() - low_.x());
  }

  std::string svg() const {
    const double height = scale_ * (high_.y() - low_.y());
    std::string text = formatted(
        "<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" role=\"img\" aria-label=\"Expected error on the "
        "floor\">\n",
        kPlan_px, height, kPlan_px);
    text += cells() + zones() + cameras();
    return text + "</svg>\n";
  }

 private:
  double x(double m) const { return scale_ * (m - low_.x()); }
  double y(double m) const { return scale_ * (high_.y() - m); }

  std::string cells() const {
    const FloorErrorMap& map = report_.map;
    std::string text;
    const double size = scale_ * map.step_m;
    for (int row = 0; row < map.rows; ++row)
      for (int column = 0; column < map.columns; ++column) {
        const auto& error_m = map.error_m[static_cast<size_t>(row * map.columns + column)];
        const double left = x(map.x_m + column * map.step_m), top = y(map.y_m + (row + 1) * map.step_m);
        text +=
            formatted("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", left, top,
                      size, size, error_m ? colour_of(*error_m / report_.map.full_m()).c_str() : "#ddd");
        if (error_m && size >= kMinWithText_px)
          text +=
              formatted("<text x=\"%.1f\" y=\"%.1f\" font-size=\"9\" text-anchor=\"middle\">%.1f</text>\n",
                        left + size / 2, top + size / 2 + 3, 100 * *error_m);
      }
    return text;
  }

  std::string zones() const {
    std::string text;
    for (const FloorZone& zone : report_.zones) {
      text += "<polygon fill=\"none\" stroke=\"#225\" points=\"";
      for (const Eigen::Vector2d& corner : zone.corners_m)
        text += formatted("%.1f,%.1f ", x(corner.x()), y(corner.y()));
      text += formatted("\"/><text x=\"%.1f\" y=\"%.1f\" font-size=\"12\" fill=\"#225\">%s</text>\n",
                        x(zone.corners_m[0].x()), y(zone.corners_m[0].y()), xml_escaped(zone.name).c_str());
    }
    return text;
  }

  std::string cameras() const {
    std::string text;
    for (const ReportedCamera& one : report_.cameras) {
      const Camera& camera = one.uncertain.camera;
      const Eigen::Vector3d at = camera.center_in_world_m();
      const Eigen::Vector3d ahead = camera.rotation_cam_from_world().row(2);
      const double turn = std::atan2(ahead.y(), ahead.x());
      const double half = std::atan(camera.width_px() / (2 * camera.model().fx_px));
      const double reach_m = 0.06 * (high_.x() - low_.x());
      text += formatted(
          "<path d=\"M%.1f %.1f L%.1f %.1f L%.1f %.1f Z\" fill=\"#2468\" stroke=\"#246\"/>\n", x(at.x()),
          y(at.y()), x(at.x() + reach_m * std::cos(turn - half)), y(at.y() + reach_m * std::sin(turn - half)),
          x(at.x() + reach_m * std::cos(turn + half)), y(at.y() + reach_m * std::sin(turn + half)));
      text += name_at(x(at.x()), y(at.y()), camera.name());
    }
    return text;
  }

  // Next to the place, to the side and above or below, where the picture has room for it.
  std::string name_at(double left, double top, const std::string& name) const {
    constexpr double kSize_px = 13, kLetter_px = 8.5, kApart_px = 4;  // letters of a bold font, at most
    const double width = kLetter_px * static_cast<double>(name.size());
    const bool before = left + kApart_px + width > kPlan_px;
    const double length = before ? std::max(1.0, left - kApart_px) : width;
    return formatted(
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"13\" font-weight=\"bold\" text-anchor=\"%s\"%s>%s</text>\n",
        before ? left - kApart_px : left + kApart_px,
        top < kSize_px + kApart_px ? top + kSize_px + kApart_px : top - kApart_px, before ? "end" : "start",
        length < width ? formatted(" textLength=\"%.0f\" lengthAdjust=\"spacingAndGlyphs\"", length).c_str()
                       : "",
        xml_escaped(name).c_str());
  }

  const CalibrationReport& report_;
  Eigen::Vector2d low_, high_;
  double scale_ = 1;
};

std::string row(const std::vector<std::string>& cells, const char* tag = "td") {
  std::string text = "<tr>";
  for (const std::string& cell : cells) text += formatted("<%s>", tag) + cell + formatted("</%s>", tag);
  return text + "</tr>\n";
}

std::string lens_text(const Lens<double>& lens) {
  std::string text(lens_model_name(lens.lens));
  for (const double value : lens_coefficients(lens)) text += formatted(" %.5f", value);
  return text;
}

std::string camera_table(const CalibrationReport& report) {
  std::string text = "<table>\n" + row({"camera", "picture", "focal length (px)", "centre (px)", "lens",
                                        "position (m)", "downward tilt", "known to", "noise", "check"},
                                       "th");
  for (const ReportedCamera& one : report.cameras) {
    const Camera& camera = one.uncertain.camera;
    const PinholeCamera<double>& m = camera.model();
    const Eigen::Vector3d at = camera.center_in_world_m();
    const Eigen::Vector3d ahead = camera.rotation_cam_from_world().row(2);
    std::string verdicts;
    for (const CheckItem& item : report.checks)
      if (item.camera == camera.name())
        verdicts += xml_escaped(item.check) + ": " + std::string(verdict_name(item.verdict)) + "<br>";
    text += row({xml_escaped(camera.name()), formatted("%d x %d", m.width_px, m.height_px),
                 formatted("%.1f, %.1f", m.fx_px, m.fy_px), formatted("%.1f, %.1f", m.cx_px, m.cy_px),
                 lens_text(m), formatted("%.3f, %.3f, %.3f", at.x(), at.y(), at.z()),
                 formatted("%.1f\u00b0", -std::asin(std::clamp(ahead.z(), -1.0, 1.0)) * 180 / M_PI),
                 one.has_std ? formatted("\u00b1 %.3f\u00b0, \u00b1 %.1f mm", one.turned_std_deg,
                                         1000 * one.moved_std_m)
                             : "not stated",
                 formatted("%.2f px", one.uncertain.sigma_px), verdicts.empty() ? "not checked" : verdicts});
  }
  return text + "</table>\n";
}

std::string points_table(const CalibrationReport& report) {
  if (report.points.empty()) return {};
  std::string text =
      "<h2>Clicked points</h2>\n<table>\n" + row({"point", "at (m)", "known to", "views", "misses by"}, "th");
  for (const SolvedPoint& point : report.points)
    text += point.at_m
                ? row({xml_escaped(point.name),
                       formatted("%.3f, %.3f, %.3f", point.at_m->x(), point.at_m->y(), point.at_m->z()),
                       point.known ? "measured" : formatted("\u00b1 %.1f mm", 1000 * point.std_m.norm()),
                       std::to_string(point.clicks.size()), formatted("%.2f px", point.rms_px)})
                : row({xml_escaped(point.name), "not solved", "", "", ""});
  text += "</table>\n";
  for (const std::string& note : report.notes) text += "<p>" + xml_escaped(note) + "</p>\n";
  return text;
}

std::string checks_table(const CalibrationReport& report) {
  if (report.checks.empty()) return {};
  std::string text = "<h2>Checks against the footage</h2>\n<table>\n" +
                     row({"check", "camera", "verdict", "what was found", "limit", "what to do"}, "th");
  for (const CheckItem& item : report.checks)
    text += row({xml_escaped(item.check), xml_escaped(item.camera), std::string(verdict_name(item.verdict)),
                 xml_escaped(item.figure), xml_escaped(item.limit), xml_escaped(item.remedy)});
  return text + "</table>\n";
}

}  // namespace

std::string report_html(const CalibrationReport& report) {
  const Plan plan(report);
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Calibration of " +
      xml_escaped(report.project) +
      "</title>\n<style>body{font:14px sans-serif;margin:2em;max-width:75em}table{border-collapse:collapse}"
      "td,th{border:1px solid #bbb;padding:3px 8px;text-align:left;vertical-align:top}th{background:#eee}"
      "</style></head><body>\n<h1>Calibration of " +
      xml_escaped(report.project) + "</h1>\n";
  text += camera_table(report);
  text += formatted(
      "<h2>Expected error %s</h2>\n<p>Standard deviation across the floor, in cm, of a point triangulated by "
      "all cameras that see it; middle %.1f cm, largest %.1f cm. Grey: seen by fewer than two cameras (%.0f "
      "%% of the region is seen). Darkest: %.1f cm and more.</p>\n",
      report.height_m == 0 ? "on the floor" : formatted("%.2f m above the floor", report.height_m).c_str(),
      100 * report.map.median_m, 100 * report.map.max_m, 100 * report.map.covered_share,
      100 * report.map.full_m());
  return text + plan.svg() + report.board_html + points_table(report) + checks_table(report) +
         "</body></html>\n";
}

}  // namespace vantage::cli
