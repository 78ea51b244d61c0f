// vantage-cli calibrate boards: calibrations solved from pictures of a board, or of several.

#include "app/cli/calibrate/calibrate.h"

#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "app/cli/calibrate/boards_input.h"
#include "app/cli/calibrate/uncertainty.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/calibration/formats/calibration.h"
#include "core/calibration/solve/board_solve.h"
#include "core/calibration/solve/clip_offsets.h"
#include "core/geometry/lens_inverse.h"
#include "core/project/board_json.h"
#include "core/setup/boards/board_pictures.h"

namespace vantage::cli {
namespace {

// Output of calibrate boards, as text and as JSON.

struct SolvedBoards {
  BoardsSolution solution;
  std::vector<ClipTiming> clips;  // by camera; empty where they were taken as in step
  double frame_rate = 0;          // of the clips, frames/s; 0: not known
};

// How several boards stand to each other, in the reports of calibrate boards.

using nlohmann::ordered_json;

// How one of several boards stands to the world's.
ordered_json place_json(const Board& board, const BoardPlace& place) {
  ordered_json json = board_json(board);
  json["placed"] = place.placed, json["views"] = place.views;
  if (!place.placed) return json;
  const auto list = [](const Eigen::Vector3d& v) { return ordered_json{v.x(), v.y(), v.z()}; };
  const Eigen::AngleAxisd turn(place.world_board_from_board.linear());
  json["shift_m"] = list(place.world_board_from_board.translation());
  json["rotation_deg"] = list(turn.angle() * turn.axis() * (180 / M_PI));
  json["shift_std_m"] = list(place.shift_std_m);
  json["rotation_std_deg"] = list(place.rotation_std_rad * (180 / M_PI));
  return json;
}

// Nothing of one board alone.
void print_board_places(const BoardsSolution& solution) {
  for (size_t b = 0; b < solution.boards.size(); ++b) {
    const BoardPlace& place = solution.boards[b];
    if (!place.placed)
      std::printf("board %-4zu never seen together with another board: used for lenses only\n", b + 1);
    else if (b == solution.world_board)
      std::printf("board %-4zu in %d views; defines the world\n", b + 1, place.views);
    else
      std::printf(
          "board %-4zu in %d views; from board %zu to it %.2f %.2f %.2f mm +- %.2f mm, turned by %.3f "
          "+- %.3f degrees\n",
          b + 1, place.views, solution.world_board + 1, 1000 * place.world_board_from_board.translation().x(),
          1000 * place.world_board_from_board.translation().y(),
          1000 * place.world_board_from_board.translation().z(), 1000 * place.shift_std_m.norm(),
          Eigen::AngleAxisd(place.world_board_from_board.linear()).angle() * 180 / M_PI,
          place.rotation_std_rad.norm() * 180 / M_PI);
  }
}

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

void check_hand_held(const BoardsCommand& command) {
  if (command.hand_held.empty()) return;
  if (command.cameras.empty())
    throw CLI::ValidationError("--hand-held", "also give the cameras that it links");
  if (command.boards.size() == 1)
    throw CLI::ValidationError("--hand-held",
                               "a hand-held camera links boards: give two or more (--boards, --board)");
}

// Before any picture is examined.
double rate_or_fail(const std::vector<NamedPath>& named) {
  std::vector<BoardPictures> clips;
  for (const NamedPath& camera : named) clips.push_back({camera.path});
  return value_or_fail(common_rate(clips));
}

SolvedBoards solved_or_fail(const BoardsCommand& command, double frame_rate, const BoardsInput& input,
                            const BoardsOptions& options, OutOfStepOptions known) {
  if (!command.out_of_step) return {.solution = value_or_fail(solve_boards(input, options))};
  SolvedBoards solved{.frame_rate = frame_rate};
  Progress progress("offsets");
  known.progress = [&](int64_t done, int64_t total) { progress.update(done, total); };
  known.stop = interrupted();
  OutOfStepSolution found = value_or_fail(solve_out_of_step(input, options, known));
  solved.solution = std::move(found.solution), solved.clips = std::move(found.clips);
  return solved;
}

std::vector<BoardClip> clips_of(const std::vector<NamedPath>& named) {
  std::vector<BoardClip> clips;
  for (const NamedPath& camera : named) clips.push_back({camera.name, camera.path});
  return clips;
}

OutOfStepOptions known_offsets(const BoardsCommand& command, const std::vector<NamedPath>& named) {
  std::vector<std::string> names;
  for (const NamedPath& camera : named) names.push_back(camera.name);
  return {.offsets = given_offsets(command.offsets, names)};
}

void check_half_turn(const BoardsCommand& command) {
  if (!command.half_turn.empty() && command.boards.size() > 1)
    throw CLI::ValidationError("--half-turn", "several boards have markers, which show their orientation");
}

void check_out_of_step(const BoardsCommand& command) {
  if (!command.out_of_step) return;
  if (command.cameras.size() < 2)
    throw CLI::ValidationError("--out-of-step", "give the clips of two cameras or more");
  if (!command.hand_held.empty() || command.boards.size() > 1)
    throw CLI::ValidationError("--out-of-step", "offsets of clips are solved with exactly one board");
}

void boards(BoardsCommand command) {
  command.boards = boards_of(command.board_options);
  check_hand_held(command);
  check_out_of_step(command);
  check_half_turn(command);
  const bool live = !command.live.project.empty();
  if (command.cameras.empty() && command.lens_pictures.empty() && !live)
    throw CLI::ValidationError(
        "CAMERA", "give a video or folder of pictures for each camera, or --lens-pictures, or --live");
  if (!command.cameras.empty() && !command.lens_pictures.empty() &&
      command.cameras.size() != command.lens_pictures.size())
    throw CLI::ValidationError("--lens-pictures", "give one for each camera, in their order");
  if (command.cameras.empty() && !live && !command.out.empty())
    throw CLI::ValidationError(
        "--out", "a calibration needs poses: also give videos in which several cameras see the board");
  const Project project = live ? value_or_fail(load_project(command.live.project)) : Project();
  std::vector<std::string> paths = command.cameras.empty() ? command.lens_pictures : command.cameras;
  const size_t fixed = paths.size();
  paths.insert(paths.end(), command.hand_held.begin(), command.hand_held.end());
  const auto named = live ? cameras_of(project) : named_paths(paths);
  BoardsOptions options{.k3 = command.k3, .world_instant = command.world_frame, .half_turned = {}};
  options.cross_validate = true;
  options.board_above_floor_m = command.board_above_floor_m;
  if (!command.half_turn.empty()) {
    options.half_turned.emplace(named.size(), false);
    for (const std::string& name : command.half_turn)
      if (name != "none") (*options.half_turned)[position_of(named, name, "--half-turn")] = true;
  }
  const OutOfStepOptions known = known_offsets(command, named);
  check_project_of_offsets(command.offsets, clips_of(named));
  const double frame_rate = command.out_of_step ? rate_or_fail(named) : 0;
  const BoardsInput input = live ? collect_live(command, project, named) : collect(command, named, fixed);
  const SolvedBoards solved = solved_or_fail(command, frame_rate, input, options, known);
  const BoardsSolution& solution = solved.solution;
  if (!command.out.empty()) {
    std::vector<Camera> cameras;
    for (size_t c = 0; c < solution.cameras.size(); ++c) {
      const CameraSolution& camera = solution.cameras[c];
      if (input.cameras[c].hand_held) continue;
      if (!camera.posed)
        fail_command({ErrorKind::bad_data, "this camera never sees the board at the same time as another one",
                      camera.camera.name(),
                      "Record the board where this camera and another one see it, or leave the camera out."});
      cameras.push_back(camera.camera);
    }
    check_or_fail(write_file_atomically(command.out, calibration_to_json(cameras)));
  }
  write_offsets_or_fail(command.offsets, clips_of(named), solved.clips, solution.instants);
  if (command.json) {
    print_json(boards_json(command.boards, solved));
    return;
  }
  print_boards(solved);
  if (solution.posed)
    std::printf(
        "The world is %s at frame %lld: origin at its first corner, z up from the printed side, %g m "
        "above the floor.\n",
        solution.boards.empty() ? "the board" : formatted("board %zu", solution.world_board + 1).c_str(),
        static_cast<long long>(solution.world_instant), command.board_above_floor_m);
}

}  // namespace

void add_boards(CLI::App& calibrate) {
  auto command = std::make_shared<BoardsCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "boards",
      "Solves lenses and poses from pictures of a chessboard, plain or with markers, or of a grid of tags.");
  CLI::Option* cameras = app->add_option("cameras", command->cameras,
                                         "Video or folder of pictures of the board for each camera, in step "
                                         "unless --out-of-step: PATH or NAME=PATH");
  CLI::Option* lens_pictures = app->add_option("--lens-pictures", command->lens_pictures,
                                               "Pictures or a video of the board for each camera's lens, in "
                                               "the cameras' order; they need not be in step");
  CLI::Option* hand_held =
      app->add_option("--hand-held", command->hand_held,
                      "Video or folder of pictures of a camera that is carried from board to board and often "
                      "sees two boards at once. It links cameras without a common view, and is not part of "
                      "the calibration; PATH or NAME=PATH");
  add_board_options(*app, &command->board_options);
  CLI::Option* still = app->add_flag("--still", command->still,
                                     "Board and cameras do not move: the mean of the pictures is used");
  CLI::Option* out_of_step =
      app->add_flag("--out-of-step", command->out_of_step,
                    "The clips are not in step: their offsets and the cameras' rolling-shutter readout are "
                    "solved with the board, which has to move; every frame is examined");
  out_of_step->excludes(still);
  add_clip_offsets_options(*app, out_of_step, &command->offsets);
  app->add_option("--lens", command->lenses,
                  "Calibration files that hold the cameras' lenses, by name; their poses serve only to find "
                  "which way round the board is seen");
  app->add_option("--unit-scale", command->unit_scale_m,
                  "Metres per unit of these files, where they do not state it");
  app->add_flag("--solve-lens", command->solve_lens, "Solve the lens also where --lens gives one");
  app->add_option(
      "--lens-model", command->lens_models,
      "Model of the solved lenses: polynomial (k1 k2 p1 p2), rational (k1 k2 p1 p2 k3 k4 k5 k6) or fisheye "
      "(k1 k2 k3 k4); NAME=MODEL for one camera. If absent as given with --lens, else polynomial");
  app->add_flag("--k3", command->k3, "Solve a third radial coefficient of polynomial lenses");
  CLI::Option* frames = app->add_option("--frames", command->frames, "Only frames A:B (B excluded)");
  CLI::Option* every = app->add_option("--every", command->every, "Every Nth frame; 0: about 40 in all")
                           ->check(CLI::NonNegativeNumber);
  app->add_option("--world-frame", command->world_frame,
                  "The frame whose board defines the world; if absent the first frame in which the maximum "
                  "number of cameras see it");
  app->add_option("--board-above-floor", command->board_above_floor_m,
                  "Height of the board's printed side above the floor in that frame (m)");
  app->add_option("--half-turn", command->half_turn,
                  "Cameras that see the board of the world's frame rotated by 180 degrees relative to the "
                  "others ('none': no camera), for boards that look the same after half a turn");
  app->add_option("--out", command->out, "Write the calibration to this file (Vantage JSON)");
  app->add_flag("--json", command->json, "Print the report as JSON, with every residual and covariance");
  CLI::Option* live = add_live_boards_options(*app, command->live);
  out_of_step->excludes(every);
  for (CLI::Option* recorded : {cameras, lens_pictures, hand_held, still, out_of_step, frames, every})
    live->excludes(recorded);
  app->callback([command] { boards(*command); });
}

}  // namespace vantage::cli
