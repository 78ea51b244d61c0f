// vantage-cli calibrate boards: calibrations solved from pictures of a board, or of several.

#include "app/cli/calibrate/calibrate.h"

#include <fmt/core.h>
#include <Eigen/Geometry>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "app/cli/calibrate/boards_input.h"
#include "app/cli/calibrate/uncertainty.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"
#include "core/calibration/solve/board_solve.h"
#include "core/calibration/solve/clip_offsets.h"
#include "core/calibration/solve/solution_report.h"
#include "core/project/board_json.h"
#include "core/setup/boards/board_pictures.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

struct SolvedBoards {
  BoardsSolution solution;
  std::vector<ClipTiming> clips;  // one per camera; empty: in step
  double frame_rate = 0;          // the clips', frames/s; 0: unknown
};

// The report on one of several boards: its placement relative to the board that defines the world.
Report board_report(const Board& board, size_t index, const BoardsSolution& solution) {
  const BoardPlace& place = solution.boards[index];
  Report row;
  row.add({}, "board", std::to_string(index + 1));
  const ordered_json described = board_json(board);
  for (const auto& [key, value] : described.items()) row.add_data(key, ReportValue::ready(value));
  row.add_data("placed", place.placed);
  row.add_count("views", "views", place.views);
  if (!place.placed) row.add_sentence("never seen together with another board: used for lenses only");
  if (!place.placed) return row;
  if (index == solution.world_board) row.add_sentence("defines the world");
  const Eigen::Vector3d shift_m = place.world_board_from_board.translation();
  const Eigen::AngleAxisd turn(place.world_board_from_board.linear());
  const Eigen::Vector3d turned_std_deg = place.rotation_std_rad * (180 / M_PI);
  row.add("shift_m", fmt::format("from board {}", solution.world_board + 1), shift_m,
          fmt::format("{:.2f} {:.2f} {:.2f} mm", 1000 * shift_m.x(), 1000 * shift_m.y(), 1000 * shift_m.z()));
  row.add("rotation_deg", "turned", turn.angle() * turn.axis() * (180 / M_PI),
          unit_text(turn.angle() * 180 / M_PI, turned_std_deg.norm(), {"\u00b0", 3}));
  row.add("shift_std_m", "known to", place.shift_std_m,
          "\u00b1 " + unit_text(place.shift_std_m.norm(), {"mm", 2, 1000}));
  row.add_data("rotation_std_deg", turned_std_deg);
  return row;
}

// Frame number among the camera's own pictures.
int64_t own_frame(const SolvedBoards& solved, const CornerResidual& residual) {
  if (solved.clips.empty() || residual.lens_view) return residual.instant;
  return solved.clips[residual.camera].own_frame(residual.instant);
}

Report residual_report(const CornerResidual& residual, const SolvedBoards& solved, bool several_boards) {
  Report row;
  row.add_data("camera", solved.solution.cameras[residual.camera].camera.name());
  row.add_data("frame", own_frame(solved, residual));
  row.add_data("for", residual.lens_view ? "lens" : "pose");
  row.add_data("corner", residual.index);
  row.add_data("seen_px", {residual.seen_x_px, residual.seen_y_px});
  row.add_data("x_px", residual.x_px), row.add_data("y_px", residual.y_px);
  if (!solved.clips.empty() && !residual.lens_view) row.add_data("first_camera_frame", residual.instant);
  if (several_boards) row.add_data("board", residual.board + 1);
  if (residual.unlinked) row.add_data("linked", false);
  return row;
}

Report boards_report(const std::vector<Board>& boards, const SolvedBoards& solved, double above_floor_m) {
  const BoardsSolution& solution = solved.solution;
  Report report;
  report.add_data("schema", "vantage-boards-1");
  report.add_data("board", ReportValue::ready(board_json(boards[solution.world_board])));
  for (size_t b = 0; b < solution.boards.size(); ++b)
    report.add_row("boards", board_report(boards[b], b, solution));
  report.add_sentence("rms_px", solution.rms_px(),
                      "All cameras: RMS " + unit_text(solution.rms_px(), {"px", 3}) + ".");
  if (solution.posed) report.add_data("world_frame", solution.world_instant);
  if (solution.posed) report.add_data("frames", solution.instants);
  for (size_t c = 0; c < solution.cameras.size(); ++c) {
    Report camera = report_of(solution, c);
    if (!solved.clips.empty()) camera.add_section("timing", report_of(solved.clips[c], solved.frame_rate));
    report.add_row("cameras", std::move(camera));
  }
  if (solution.posed) report.add_data("covariance", ReportValue::ready(uncertainty_json(solution.together)));
  if (solution.cross_validation)
    report.add_section("cross_validation", report_of(*solution.cross_validation, solution.cameras));
  else
    report.add_sentence("There are too few pictures to test one half of them on the other.");
  for (const CornerResidual& residual : solution.residuals)
    report.add_row("residuals", residual_report(residual, solved, boards.size() > 1));
  const std::string world =
      solution.boards.empty() ? "the board" : fmt::format("board {}", solution.world_board + 1);
  if (solution.posed)
    report.say("The world is " + world +
               " at frame {world_frame}: origin at its first corner, z up from the printed side, " +
               fmt::format("{:g} m above the floor.", above_floor_m));
  return report;
}

void check_hand_held(const BoardsCommand& command) {
  if (command.hand_held.empty()) return;
  if (command.cameras.empty())
    throw CLI::ValidationError("--hand-held", "also give the cameras that it links");
  if (command.boards.size() == 1)
    throw CLI::ValidationError("--hand-held",
                               "a hand-held camera links boards: give two or more (--boards, --board)");
}

// Called before any picture is examined.
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
  const LeftOutPictures left_out = left_out_pictures(command, named);
  const OutOfStepOptions known = known_offsets(command, named);
  check_project_of_offsets(command.offsets, clips_of(named));
  const double frame_rate = command.out_of_step ? rate_or_fail(named) : 0;
  BoardsInput input = live ? collect_live(command, project, named) : collect(command, named, fixed);
  leave_out_or_fail(left_out, &input);
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
  print_report(boards_report(command.boards, solved, command.board_above_floor_m), command.json);
}

}  // namespace

void add_boards(CLI::App& calibrate) {
  auto command = std::make_shared<BoardsCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "boards",
      "Solves lenses and poses from pictures of a chessboard, plain or with markers, or of a grid of tags.");
  CLI::Option* cameras = app->add_option("cameras", command->cameras,
                                         "video or folder of pictures of the board for each camera, in step "
                                         "unless --out-of-step: PATH or NAME=PATH");
  CLI::Option* lens_pictures = app->add_option("--lens-pictures", command->lens_pictures,
                                               "pictures or a video of the board for each camera's lens, in "
                                               "the cameras' order; they need not be in step");
  CLI::Option* hand_held =
      app->add_option("--hand-held", command->hand_held,
                      "video or folder of pictures of a camera that is carried from board to board and often "
                      "sees two boards at once. It links cameras without a common view, and is not part of "
                      "the calibration; PATH or NAME=PATH");
  add_board_options(*app, &command->board_options);
  CLI::Option* still = app->add_flag("--still", command->still,
                                     "board and cameras do not move: the mean of the pictures is used");
  CLI::Option* out_of_step =
      app->add_flag("--out-of-step", command->out_of_step,
                    "the clips are not in step: their offsets and the cameras' rolling-shutter readout are "
                    "solved with the board, which has to move; every frame is examined");
  out_of_step->excludes(still);
  add_clip_offsets_options(*app, out_of_step, &command->offsets);
  app->add_option("--lens", command->lenses,
                  "calibration files that hold the cameras' lenses, by name; their poses serve only to find "
                  "which way round the board is seen");
  app->add_option("--unit-scale", command->unit_scale_m,
                  "metres per unit of these files, where they do not state it");
  app->add_flag("--solve-lens", command->solve_lens, "solve the lens also where --lens gives one");
  app->add_option(
      "--lens-model", command->lens_models,
      "model of the solved lenses: polynomial (k1 k2 p1 p2), rational (k1 k2 p1 p2 k3 k4 k5 k6) or fisheye "
      "(k1 k2 k3 k4); NAME=MODEL for one camera. If absent as given with --lens, else polynomial");
  app->add_flag("--k3", command->k3, "solve a third radial coefficient of polynomial lenses");
  CLI::Option* frames = app->add_option("--frames", command->frames, "only frames A:B (B excluded)");
  CLI::Option* every = app->add_option("--every", command->every, "every Nth frame; 0: about 40 in all")
                           ->check(CLI::NonNegativeNumber);
  app->add_option("--leave-out", command->leave_out,
                  "a picture that does not fit: frame FRAME of this camera, as the residuals number it, is "
                  "not used (repeatable)")
      ->type_name("NAME=FRAME");
  app->add_option("--world-frame", command->world_frame,
                  "the frame whose board defines the world; if absent the first frame in which the maximum "
                  "number of cameras see it");
  app->add_option("--board-above-floor", command->board_above_floor_m,
                  "height of the board's printed side above the floor in that frame (m)");
  app->add_option("--half-turn", command->half_turn,
                  "cameras that see the board of the world's frame rotated by 180 degrees relative to the "
                  "others ('none': no camera), for boards that look the same after half a turn");
  app->add_option("--out", command->out, "write the calibration to this file (Vantage JSON)");
  app->add_flag("--json", command->json, "print the report as JSON, with every residual and covariance");
  CLI::Option* live = add_live_boards_options(*app, command->live);
  out_of_step->excludes(every);
  for (CLI::Option* recorded : {cameras, lens_pictures, hand_held, still, out_of_step, frames, every})
    live->excludes(recorded);
  app->callback([command] { boards(*command); });
}

}  // namespace vantage::cli
