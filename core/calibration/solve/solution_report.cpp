#include "core/calibration/solve/solution_report.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/geometry/lens_inverse.h"

namespace vantage {
namespace {

constexpr double kDegrees = 180 / M_PI;
constexpr Unit kPixels{"px", 2};

Report report_of(const PointsSolvedCamera& camera) {
  Report row;
  row.add("name", "camera", camera.camera.name());
  row.add("solved", "pose", camera.free, camera.free ? "solved" : "fixed");
  row.add_count("clicks", "clicks", static_cast<int64_t>(camera.clicks));
  row.add_number("before_px", "missed by", camera.before_px, kPixels);
  row.add_number("after_px", "now", camera.after_px, kPixels);
  if (!camera.free) return row;
  add_change(camera.change, camera.turned_std_deg, camera.moved_std_m, &row);
  row.add("focal_change", "focal length", camera.focal_share,
          camera.focal_std > 0 ? unit_text(camera.focal_share, camera.focal_std, {"%", 2, 100, true}) : "");
  row.add_data("focal_std", camera.focal_std);
  row.add_data("center_m", camera.camera.center_in_world_m());
  return row;
}

Report report_of(const SolvedPoint& point, const PointsSolution& solution) {
  Report row;
  row.add("name", "point", point.name);
  row.add_data("known", point.known);
  if (!point.at_m) return row;
  row.add("at_m", "at", *point.at_m,
          fmt::format("{:.4f} {:.4f} {:.4f} m", point.at_m->x(), point.at_m->y(), point.at_m->z()));
  row.add("std_m", "known to", point.std_m,
          point.known ? "given" : "\u00b1 " + unit_text(point.std_m.norm(), {"mm", 1, 1000}));
  row.add_number("rms_px", "misses by", point.rms_px, kPixels);
  row.add_count({}, "views", static_cast<int64_t>(point.clicks.size()));
  for (const SolvedClick& click : point.clicks) {
    Report one;
    one.add_data("camera", solution.cameras[click.camera].camera.name());
    one.add_data("off_px", click.off_px);
    one.add_data("doubtful", click.doubtful);
    row.add_row("clicks", std::move(one));
  }
  return row;
}

// "fx 900.00 ± 0.10 px  ...  k1 -0.2000  k2 0.0500 ...".
Report lens_report(const CameraSolution& camera) {
  const PinholeCamera<double>& m = camera.camera.model();
  const LensValues values = lens_values(m);
  Report lens;
  if (camera.lens_fixed()) lens.add_sentence("lens fixed as given, treated as exact");
  if (!camera.lens_fixed()) lens.add({}, "lens", std::string(lens_model_name(m.lens)));
  for (size_t i = 0; i < kLensValues; ++i) {
    if (!lens_has_value(m.lens, i)) continue;
    Report value;
    value.add_data("value", values[i]), value.add_data("solved", static_cast<bool>(camera.lens_free[i]));
    if (camera.lens_free[i]) value.add_data("std", camera.lens_std[i]);
    lens.add_section(kLensNames[i], std::move(value));
    const bool pixels = i < kK1;
    const Unit unit{pixels ? "px" : "", pixels ? 2 : i == kP1 || i == kP2 ? 5 : 4};
    if (!camera.lens_fixed())
      lens.add({}, kLensNames[i], {}, unit_text(values[i], pixels ? camera.lens_std[i] : 0, unit));
  }
  if (m.lens == LensModel::polynomial) return lens;
  lens.add_data("model", lens_model_name(m.lens));
  lens.add_data("coefficients", lens_coefficients(m));
  return lens;
}

Report pose_report(const BoardsSolution& solution, size_t index) {
  const CameraSolution& camera = solution.cameras[index];
  const auto relative = solution.relative_deviation(index);
  const Eigen::Vector3d center = camera.camera.center_in_world_m(), turn = camera.rotation_std_rad * kDegrees;
  Report pose;
  pose.add("center_m", "at", center,
           fmt::format("{:.3f} {:.3f} {:.3f} m", center.x(), center.y(), center.z()));
  Report mutual;
  if (relative) {
    const std::string& to = solution.cameras[relative->from].camera.name();
    const double turned_deg = relative->turned_rad * kDegrees;
    pose.add({}, "to " + to, {},
             "\u00b1 " + unit_text(relative->moved_m, {"mm", 1, 1000}) + ", \u00b1 " +
                 unit_text(turned_deg, {"\u00b0", 3}));
    mutual.add_data("to", to), mutual.add_data("center_std_m", relative->moved_m);
    mutual.add_data("rotation_std_deg", turned_deg);
  }
  pose.add("center_std_m", "in the world", camera.center_std_m,
           "\u00b1 " + unit_text(camera.center_std_m.norm(), {"mm", 1, 1000}));
  pose.add("rotation_std_deg", "and", turn, "\u00b1 " + unit_text(turn.norm(), {"\u00b0", 3}));
  pose.add_data("rms_px", camera.pose_rms_px), pose.add_data("corners", camera.pose_corners);
  if (relative) pose.add_section("relative", std::move(mutual));
  return pose;
}

}  // namespace

void add_change(const CameraChange& change, double turned_std_deg, double moved_std_m, Report* to) {
  const Eigen::Vector3d turned_deg = change.head<3>() * 180 / M_PI, moved_m = change.segment<3>(3);
  to->add("turned_deg", "turned by", turned_deg, unit_text(turned_deg.norm(), turned_std_deg, {"\u00b0", 3}));
  to->add_data("turned_std_deg", turned_std_deg);
  to->add("moved_m", "moved by", moved_m, unit_text(moved_m.norm(), moved_std_m, {"mm", 1, 1000}));
  to->add_data("moved_std_m", moved_std_m);
}

Report report_of(const PointsSolution& solution, const ReportValue& covariance) {
  Report report;
  report.add_data("schema", "vantage-points-1");
  report.add_sentence("sigma_px", solution.sigma_px,
                      "Clicks scatter by " + unit_text(solution.sigma_px, kPixels) + ".");
  report.add_data("redundancy", solution.redundancy);
  for (const PointsSolvedCamera& camera : solution.cameras) report.add_row("cameras", report_of(camera));
  for (const SolvedPoint& point : solution.points) report.add_row("points", report_of(point, solution));
  if (covariance.known()) report.add_data("covariance", covariance);
  report.add_data("notes", solution.notes);
  for (const std::string& note : solution.notes) report.add_sentence(note);
  return report;
}

Report report_of(const BoardsSolution& solution, size_t index) {
  const CameraSolution& camera = solution.cameras[index];
  Report row;
  row.add("name", "camera", camera.camera.name());
  row.add_data("size_px", {camera.camera.width_px(), camera.camera.height_px()});
  row.add_count("pictures", "pictures", camera.pictures);
  row.add_count("corners", "corners", camera.corners);
  row.add_number("rms_px", "RMS", camera.rms_px, {"px", 3});
  row.add_number("median_px", "median", camera.median_px, {"px", 3});
  row.add_number("max_px", "largest", camera.max_px, kPixels);
  row.add_section("lens", lens_report(camera));
  if (camera.posed) row.add_section("pose", pose_report(solution, index));
  std::vector<std::vector<int>> coverage;
  for (int y = 0; y < kCoverageRows; ++y) {
    const auto first = camera.coverage.begin() + y * kCoverageColumns;
    coverage.emplace_back(first, first + kCoverageColumns);
  }
  row.add_data("coverage", coverage);
  row.add_data("held", camera.held), row.add_data("advice", camera.advice);
  for (const std::string& held : camera.held) row.add_sentence("not determined: " + held);
  for (const std::string& advice : camera.advice) row.add_sentence("record next: " + advice);
  return row;
}

Report report_of(const ClipTiming& clip, double frame_rate) {
  const Unit unit = frame_rate > 0 ? Unit{"ms", 2, 1000 / frame_rate} : Unit{"frames", 2};
  std::string offset = "offset " + unit_text(clip.offset_frames, clip.offset_std_frames, {"frames", 3});
  if (clip.held) offset += ", fixed as given";
  if (frame_rate > 0) offset += fmt::format(" ({:.1f} ms)", 1000 * clip.offset_frames / frame_rate);
  std::string rolling = "no rolling shutter beyond " + unit_text(3 * clip.readout_std_frames, unit);
  if (clip.rolling)
    rolling = "rolling shutter: the last row " +
              unit_text(clip.readout_frames, clip.readout_std_frames, unit) + " after the first, corrected";
  if (!clip.readout_known) rolling = "a rolling shutter cannot be determined: the board moves too little";
  Report timing;
  timing.add_sentence("offset_frames", clip.offset_frames, std::move(offset));
  timing.add_data("offset_std_frames", clip.offset_std_frames);
  timing.add_sentence("rolling_shutter", clip.rolling, std::move(rolling));
  timing.add_data("readout_frames", clip.readout_frames);
  timing.add_data("readout_std_frames", clip.readout_std_frames);
  timing.add_data("readout_known", clip.readout_known), timing.add_data("held", clip.held);
  if (!(frame_rate > 0)) return timing;
  timing.add_data("frame_rate", frame_rate);
  timing.add_data("offset_ms", 1000 * clip.offset_frames / frame_rate);
  timing.add_data("readout_ms", 1000 * clip.readout_frames / frame_rate);
  timing.add_data("readout_std_ms", 1000 * clip.readout_std_frames / frame_rate);
  return timing;
}

Report report_of(const ClickedMeasure& measure, const std::optional<Measured>& found) {
  constexpr const char* kKinds[] = {"distance", "height", "angle"};
  const bool angle = measure.kind == MeasureKind::angle;
  std::vector<std::string> cameras;
  std::string where;
  for (const MeasureClick& click : measure.clicks) {
    const std::string name = click.camera.empty() ? "scene" : click.camera;
    if (std::ranges::find(cameras, name) != cameras.end()) continue;
    cameras.push_back(name), append_item(&where, name);
  }
  Report row;
  row.add("kind", "measure", kKinds[static_cast<size_t>(measure.kind)]);
  row.add("clicked_in", "clicked in", cameras, where);
  if (found && !found->points_m.empty()) row.add_data("points_m", found->points_m);
  if (found && found->value)
    row.add_number(angle ? "value_deg" : "value_m", "value", *found->value,
                   angle ? Unit{"\u00b0", 1} : Unit{"m", 3});
  else
    row.add({}, "value", {}, "not seen any more");
  if (found && found->std)
    row.add_number(angle ? "std_deg" : "std_m", "\u00b1", *found->std,
                   angle ? Unit{"\u00b0", 1} : Unit{"cm", 1, 100});
  return row;
}

Report report_of(const CrossValidation& halves, const std::vector<CameraSolution>& cameras) {
  Report report;
  report.add_sentence("ratio", halves.ratio, halves.text());
  report.add_data("values", halves.freedom), report.add_data("doubtful", halves.doubtful());
  for (size_t c = 0; c < halves.cameras.size(); ++c) {
    const CrossValidatedCamera& camera = halves.cameras[c];
    Report row;
    row.add("name", "camera", cameras[c].camera.name());
    row.add_data("corners", camera.corners);
    row.add_number("held_out_rms_px", "RMS on the other half", camera.held_out_rms_px, {"px", 3});
    row.add_number("expected_rms_px", "expected RMS", camera.expected_rms_px, {"px", 3});
    if (cameras[c].posed) {
      row.add_number("turned_deg", "halves turned by", camera.turned_deg, {"\u00b0", 3});
      row.add_number("turned_std_deg", "expected turn", camera.turned_std_deg, {"\u00b0", 3});
      row.add_number("moved_m", "moved by", camera.moved_m, {"mm", 1, 1000});
      row.add_number("moved_std_m", "expected move", camera.moved_std_m, {"mm", 1, 1000});
    }
    report.add_row("cameras", std::move(row));
  }
  return report;
}

}  // namespace vantage
