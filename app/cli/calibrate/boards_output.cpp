#include "app/cli/calibrate/boards_output.h"

#include <cstdio>

#include "app/cli/calibrate/board_places.h"
#include "app/cli/calibrate/uncertainty.h"
#include "core/base/formatted.h"
#include "core/geometry/lens_inverse.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

ordered_json lens_json(const CameraSolution& camera) {
  const PinholeCamera<double>& m = camera.camera.model();
  const LensValues values = lens_values(m);
  ordered_json lens;
  for (size_t i = 0; i < kLensValues; ++i) {
    if (!lens_has_value(m.lens, i)) continue;
    lens[kLensNames[i]] = {{"value", values[i]}, {"solved", static_cast<bool>(camera.lens_free[i])}};
    if (camera.lens_free[i]) lens[kLensNames[i]]["std"] = camera.lens_std[i];
  }
  if (m.lens != LensModel::polynomial)
    lens["model"] = lens_model_name(m.lens), lens["coefficients"] = lens_coefficients(m);
  return lens;
}

ordered_json camera_json(const CameraSolution& camera) {
  ordered_json json = {
      {"name", camera.camera.name()}, {"size_px", {camera.camera.width_px(), camera.camera.height_px()}},
      {"pictures", camera.pictures},  {"corners", camera.corners},
      {"rms_px", camera.rms_px},      {"median_px", camera.median_px},
      {"max_px", camera.max_px},      {"lens", lens_json(camera)}};
  if (camera.posed) {
    const Eigen::Vector3d center = camera.camera.center_in_world_m();
    const Eigen::Vector3d turn = camera.rotation_std_rad * (180 / M_PI);
    json["pose"] = {
        {"center_m", {center.x(), center.y(), center.z()}},
        {"center_std_m", {camera.center_std_m.x(), camera.center_std_m.y(), camera.center_std_m.z()}},
        {"rotation_std_deg", {turn.x(), turn.y(), turn.z()}},
        {"rms_px", camera.pose_rms_px},
        {"corners", camera.pose_corners}};
  }
  json["coverage"] = ordered_json::array();
  for (int y = 0; y < kCoverageRows; ++y) {
    const auto row = camera.coverage.begin() + y * kCoverageColumns;
    json["coverage"].push_back(std::vector<int>(row, row + kCoverageColumns));
  }
  json["held"] = camera.held, json["advice"] = camera.advice;
  return json;
}

// Figures by camera; moved and turned: between the halves, with the expected values.
ordered_json cross_validation_json(const BoardsSolution& solution) {
  const CrossValidation& found = *solution.cross_validation;
  ordered_json json = {{"ratio", found.ratio}, {"values", found.freedom}, {"doubtful", found.doubtful()}};
  for (size_t c = 0; c < found.cameras.size(); ++c) {
    const CrossValidatedCamera& camera = found.cameras[c];
    ordered_json one = {{"name", solution.cameras[c].camera.name()},
                        {"corners", camera.corners},
                        {"held_out_rms_px", camera.held_out_rms_px},
                        {"expected_rms_px", camera.expected_rms_px}};
    if (solution.cameras[c].posed)
      one["turned_deg"] = camera.turned_deg, one["turned_std_deg"] = camera.turned_std_deg,
      one["moved_m"] = camera.moved_m, one["moved_std_m"] = camera.moved_std_m;
    json["cameras"].push_back(std::move(one));
  }
  return json;
}

// Frames, and milliseconds where the rate is known.
ordered_json timing_json(const ClipTiming& clip, double frame_rate) {
  ordered_json json = {{"offset_frames", clip.offset_frames},
                       {"offset_std_frames", clip.offset_std_frames},
                       {"rolling_shutter", clip.rolling},
                       {"readout_frames", clip.readout_frames},
                       {"readout_std_frames", clip.readout_std_frames},
                       {"readout_known", clip.readout_known},
                       {"held", clip.held}};
  if (frame_rate > 0)
    json["frame_rate"] = frame_rate, json["offset_ms"] = 1000 * clip.offset_frames / frame_rate,
    json["readout_ms"] = 1000 * clip.readout_frames / frame_rate,
    json["readout_std_ms"] = 1000 * clip.readout_std_frames / frame_rate;
  return json;
}

// Frame number among the camera's own pictures.
int64_t own_frame(const SolvedBoards& solved, const CornerResidual& residual) {
  if (solved.clips.empty() || residual.lens_view) return residual.instant;
  return solved.clips[static_cast<size_t>(residual.camera)].own_frame(residual.instant);
}

// "fx 900.00 +- 0.10 px, ..., k1 -0.2000 k2 0.0500 ...".
std::string lens_text(const CameraSolution& camera) {
  const PinholeCamera<double>& m = camera.camera.model();
  const LensValues values = lens_values(m);
  std::string text =
      m.lens == LensModel::polynomial ? std::string() : std::string(lens_model_name(m.lens)) + ", ";
  text += formatted("fx %.2f +- %.2f px, fy %.2f +- %.2f px, centre %.2f +- %.2f, %.2f +- %.2f px,", m.fx_px,
                    camera.lens_std[kFx], m.fy_px, camera.lens_std[kFy], m.cx_px, camera.lens_std[kCx],
                    m.cy_px, camera.lens_std[kCy]);
  for (size_t i = kK1; i < kLensValues; ++i)
    if (lens_has_value(m.lens, i))
      text += formatted(" %s %.*f", kLensNames[i], i == kP1 || i == kP2 ? 5 : 4, values[i]);
  return text;
}

void print_camera(const CameraSolution& camera) {
  std::printf("%-10s RMS %.3f px (median %.3f, max %.2f), %d corners in %d pictures\n",
              camera.camera.name().c_str(), camera.rms_px, camera.median_px, camera.max_px, camera.corners,
              camera.pictures);
  if (camera.lens_held())
    std::printf("           lens: fixed as given, treated as exact\n");
  else
    std::printf("           lens: %s\n", lens_text(camera).c_str());
  if (camera.posed) {
    const Eigen::Vector3d center = camera.camera.center_in_world_m();
    std::printf("           at %.3f %.3f %.3f m +- %.1f mm, +- %.3f degrees\n", center.x(), center.y(),
                center.z(), 1000 * camera.center_std_m.norm(), camera.rotation_std_rad.norm() * 180 / M_PI);
  }
  for (const std::string& held : camera.held) std::printf("           not determined: %s\n", held.c_str());
  for (const std::string& advice : camera.advice) std::printf("           record next: %s\n", advice.c_str());
}

void print_cross_validation(const BoardsSolution& solution) {
  if (!solution.cross_validation) {
    std::printf("There are too few pictures to test one half of them on the other.\n");
    return;
  }
  std::printf("%s\n", solution.cross_validation->text().c_str());
  for (size_t c = 0; c < solution.cameras.size(); ++c) {
    const CrossValidatedCamera& camera = solution.cross_validation->cameras[c];
    std::printf("%-10s ", solution.cameras[c].camera.name().c_str());
    if (solution.cameras[c].posed)
      std::printf("the halves differ by %.3f degrees (%.3f expected) and %.1f mm (%.1f); ", camera.turned_deg,
                  camera.turned_std_deg, 1000 * camera.moved_m, 1000 * camera.moved_std_m);
    std::printf("on the other half's pictures RMS %.3f px (%.3f)\n", camera.held_out_rms_px,
                camera.expected_rms_px);
  }
}

// "offset 3.370 +- 0.001 frames (134.8 ms)", "last row 20.1 +- 0.3 ms after the first".
void print_timing(const ClipTiming& clip, double frame_rate) {
  std::printf("           offset %.3f ", clip.offset_frames);
  if (clip.held)
    std::printf("frames, fixed as given");
  else
    std::printf("+- %.3f frames", clip.offset_std_frames);
  if (frame_rate > 0) std::printf(" (%.1f ms)", 1000 * clip.offset_frames / frame_rate);
  const double unit = frame_rate > 0 ? 1000 / frame_rate : 1;
  const char* const name = frame_rate > 0 ? "ms" : "frames";
  if (!clip.readout_known)
    std::printf("; a rolling shutter cannot be determined: the board moves too little\n");
  else if (clip.rolling)
    std::printf("; rolling shutter: the last row %.2f +- %.2f %s after the first, corrected here\n",
                unit * clip.readout_frames, unit * clip.readout_std_frames, name);
  else
    std::printf("; no rolling shutter beyond %.2f %s\n", 3 * unit * clip.readout_std_frames, name);
}

}  // namespace

ordered_json boards_json(const std::vector<Board>& boards, const SolvedBoards& solved) {
  const BoardsSolution& solution = solved.solution;
  ordered_json json = {{"schema", "vantage-boards-1"}, {"board", board_json(boards[solution.world_board])}};
  for (size_t b = 0; b < solution.boards.size(); ++b)
    json["boards"].push_back(place_json(boards[b], solution.boards[b]));
  if (solution.posed) json["world_frame"] = solution.world_instant, json["frames"] = solution.instants;
  for (size_t c = 0; c < solution.cameras.size(); ++c) {
    json["cameras"].push_back(camera_json(solution.cameras[c]));
    if (!solved.clips.empty())
      json["cameras"].back()["timing"] = timing_json(solved.clips[c], solved.frame_rate);
  }
  if (solution.posed) json["covariance"] = uncertainty_json(solution.together);
  if (solution.cross_validation) json["cross_validation"] = cross_validation_json(solution);
  for (const CornerResidual& residual : solution.residuals) {
    json["residuals"].push_back(
        {{"camera", solution.cameras[static_cast<size_t>(residual.camera)].camera.name()},
         {"frame", own_frame(solved, residual)},
         {"for", residual.lens_view ? "lens" : "pose"},
         {"corner", residual.index},
         {"seen_px", {residual.seen_x_px, residual.seen_y_px}},
         {"x_px", residual.x_px},
         {"y_px", residual.y_px}});
    if (!solved.clips.empty() && !residual.lens_view)
      json["residuals"].back()["first_camera_frame"] = residual.instant;
    if (boards.size() > 1) json["residuals"].back()["board"] = residual.board + 1;
    if (residual.unlinked) json["residuals"].back()["linked"] = false;
  }
  return json;
}

void print_boards(const SolvedBoards& solved) {
  for (size_t c = 0; c < solved.solution.cameras.size(); ++c) {
    print_camera(solved.solution.cameras[c]);
    if (!solved.clips.empty()) print_timing(solved.clips[c], solved.frame_rate);
  }
  print_cross_validation(solved.solution);
  print_board_places(solved.solution);
}

}  // namespace vantage::cli
