// Reports on cameras solved by people: resources/docs/formats/reports.md.
#include "core/base/text.h"
#include "core/calibration/people/footage_solve.h"
#include "core/calibration/people/people_solve.h"
#include "core/calibration/solve/solution_report.h"

namespace vantage {
namespace {

Report lens_report(const PeopleLens& lens) {
  const bool fixed = lens_is_fixed(lens.verdict), judged = lens.verdict != LensVerdict::not_judged;
  Report report;
  report.add_data("held", fixed);
  report.add_sentence("verdict", lens_verdict_name(lens.verdict),
                      judged ? lens_text(lens) : "the lens is fixed, and treated as exact");
  if (!judged) return report;
  if (!fixed) report.add_data("determined", lens.verdict == LensVerdict::solved);
  report.add_data("focal_change", lens.focal_change), report.add_data("focal_std", lens.focal_std);
  report.add_data("k1_change", lens.k1_change), report.add_data("k1_std", lens.k1_std);
  report.add_data("corner_px", lens.corner_px);
  return report;
}

std::string deviations_text(double turned_deg, double moved_m) {
  return "\u00b1 " + unit_text(turned_deg, {"\u00b0", 2}) + ", \u00b1 " + unit_text(moved_m, {"mm", 0, 1000});
}

Report camera_report(const PeopleSolvedCamera& camera, const Camera& given, const VoxelGrid* grid,
                     bool lenses_fit) {
  const bool solved = camera.free && camera.determined;
  Report row;
  row.add("name", "camera", given.name());
  row.add("solved", "pose", solved, solved ? "solved" : camera.free ? "kept as given" : "fixed");
  row.add_count("outlines", "outlines", camera.outlines);
  row.add_number("before_px", "missed by", camera.before_px, {"px", 1});
  row.add_number("after_px", "now", camera.after_px, {"px", 1});
  if (!camera.free) return row;
  row.add_data("determined", camera.determined);
  add_change(camera.change, camera.turned_std_deg, camera.moved_std_m, &row);
  if (grid) {
    const double floor_m = floor_effect(given, camera.change, camera.covariance, *grid).largest_m;
    row.add_number("floor_shift_m", "on the floor", floor_m, {"cm", 1, 100});
  }
  row.add_section("lens", lens_report(camera.lens));
  if (!solved)
    row.add_sentence(lenses_fit ? "the footage does not determine it (" +
                                      deviations_text(camera.turned_std_deg, camera.moved_std_m) + ")"
                                : "a wrong lens distorts all poses");
  if (camera.lens.verdict == LensVerdict::not_judged || !lens_is_fixed(camera.lens.verdict)) return row;
  row.add_sentence(
      "turned_any_lens_deg", camera.turned_any_lens_deg,
      "if the lens is not as given: " + deviations_text(camera.turned_any_lens_deg, camera.moved_any_lens_m));
  row.add_data("moved_any_lens_m", camera.moved_any_lens_m);
  return row;
}

Report world_report(const PeopleSolution& solution, bool stated_height) {
  Report world;
  world.add_data("scale", stated_height ? "height of people" : "given calibration");
  world.add_data("scaled_by", solution.scale), world.add_data("floor", "feet");
  world.add_data("mean_height_m", solution.mean_height_m);
  world.say(
      "No camera was fixed: scale from the {scale}, floor from {floor}, origin and x axis as close to the "
      "given ones as possible; people are {mean_height_m:2} m tall in the mean.");
  if (stated_height) world.say("The world became {scaled_by:4} times as large.");
  return world;
}

}  // namespace

Report report_of(const PeopleSolution& solution, const std::vector<Camera>& given, const VoxelGrid* grid,
                 bool stated_height) {
  Report report;
  report.add_data("schema", "vantage-people-calibration-1");
  report.add_data("frames", solution.frames);
  report.add_data("people", solution.people);
  report.say("{people} people in {frames} frames, each frame counted.");
  if (solution.all_free) report.add_section("world", world_report(solution, stated_height));
  const bool lenses_fit = wrong_lenses(solution).empty();
  for (size_t c = 0; c < solution.cameras.size(); ++c)
    report.add_row("cameras", camera_report(solution.cameras[c], given[c], grid, lenses_fit));
  if (!lenses_fit) report.add_sentence(wrong_lenses_text(solution) + ".");
  return report;
}

namespace {

Report footage_camera_report(const FootageSolvedCamera& solved, bool base) {
  Report row;
  row.add("name", "camera", solved.name);
  row.add_data("state", solved.placed() ? "solved" : "open");
  if (!solved.placed()) {
    row.add("reason", "open", solved.reason, solved.reason);
    row.add("remedy", "what would place it", solved.remedy, solved.remedy);
    return row;
  }
  const PinholeCamera<double>& model = solved.camera.model();
  row.add("focal_px", "focal length", model.fx_px,
          unit_text(model.fx_px, solved.focal_std * model.fx_px, {"px", 0}));
  row.add_data("focal_std", solved.focal_std), row.add_data("k1", model.k1);
  row.add("offset_frames", "offset", solved.offset_frames,
          base ? "base" : unit_text(solved.offset_frames, solved.offset_std_frames, {"frames", 1}));
  row.add_data("offset_std_frames", solved.offset_std_frames);
  row.add("turned_std_deg", "direction", solved.turned_std_deg,
          "\u00b1 " + unit_text(solved.turned_std_deg, {"\u00b0", 1}));
  row.add("moved_std_m", "position", solved.moved_std_m,
          "\u00b1 " + unit_text(solved.moved_std_m, {"cm", 0, 100}));
  row.add_count("boxes", "boxes", solved.boxes);
  row.add_data("margin", solved.margin);
  return row;
}

}  // namespace

Report report_of(const FootageSolution& solution) {
  Report report;
  report.add_data("schema", "vantage-footage-calibration-1");
  report.add_data("paths", solution.people), report.add_data("together_s", solution.together_s);
  report.add_data("mean_height_m", solution.mean_height_m), report.add_data("scale_std", solution.scale_std);
  report.say(
      "{paths} paths of people in {together_s:0} s; people are {mean_height_m:2} m tall in the mean; all "
      "distances "
      "\u00b1 {scale_std:1*100} %.");
  const auto base = std::ranges::find_if(solution.cameras, &FootageSolvedCamera::placed);
  for (const FootageSolvedCamera& camera : solution.cameras)
    report.add_row("cameras", footage_camera_report(camera, &camera == &*base));
  report.add_data("doubts", solution.doubts);
  for (const std::string& doubt : solution.doubts) report.add_sentence(doubt + ".");
  return report;
}

}  // namespace vantage
