// vantage-cli calibrate: calibrations solved, applied and converted; here from pictures of a board.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "app/cli/calibrate/board_options.h"
#include "app/cli/calibrate/calibrate_apply.h"
#include "app/cli/calibrate/calibrate_bumped.h"
#include "app/cli/calibrate/calibrate_compare.h"
#include "app/cli/calibrate/calibrate_convert.h"
#include "app/cli/calibrate/calibrate_measure.h"
#include "app/cli/calibrate/calibrate_people.h"
#include "app/cli/calibrate/calibrate_points.h"
#include "app/cli/calibrate/calibrate_print.h"
#include "app/cli/calibrate/calibrate_report.h"
#include "app/cli/calibrate/calibrate_world.h"
#include "app/cli/calibrate/live_boards.h"
#include "app/cli/calibrate/uncertainty.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/base/json.h"
#include "core/board_calibration/board_pictures.h"
#include "core/calibrate/board_solve.h"
#include "core/calibration/calibration.h"
#include "core/geometry/lens_inverse.h"
#include "core/project/match_cameras.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

struct BoardsCommand {
  std::vector<std::string> cameras, lens_pictures, lenses, lens_models, half_turn;
  BoardOptions board_options;
  Board board;
  std::string frames, out;
  std::optional<double> unit_scale_m;
  std::optional<int64_t> world_frame;
  int64_t every = 0;
  double board_above_floor_m = 0;
  bool still = false, solve_lens = false, k3 = false, json = false;
  LiveBoardsOptions live;
};

struct NamedPath {
  std::string name, path;
};

// NAME=PATH, or PATH: then the file's name where that tells the cameras apart, else its folder's.
std::vector<NamedPath> named_paths(const std::vector<std::string>& texts) {
  std::vector<NamedPath> named;
  std::map<std::string, int> stems;
  for (const std::string& text : texts) ++stems[std::filesystem::path(text).stem().string()];
  for (const std::string& text : texts) {
    const size_t equal = text.find('=');
    if (equal != std::string::npos && equal > 0) {
      named.push_back({text.substr(0, equal), text.substr(equal + 1)});
      continue;
    }
    std::filesystem::path path = text;
    if (!path.has_filename()) path = path.parent_path();  // a folder's closing slash
    const bool own = stems[std::filesystem::path(text).stem().string()] == 1 && path.has_stem();
    named.push_back({own ? path.stem().string() : path.parent_path().filename().string(), path.string()});
  }
  for (size_t i = 0; i < named.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (named[i].name == named[j].name)
        throw CLI::ValidationError("CAMERA",
                                   "two cameras are called '" + named[i].name + "'; name them: NAME=PATH");
  return named;
}

size_t position_of(const std::vector<NamedPath>& cameras, const std::string& name, const char* option) {
  std::vector<std::string> names;
  for (const NamedPath& camera : cameras) names.push_back(camera.name);
  const Result<size_t> found = vantage::camera_named(names, name);
  if (!found) throw CLI::ValidationError(option, found.error().what);
  return *found;
}

void read_lenses(const BoardsCommand& command, BoardsInput* input) {
  for (const std::string& path : command.lenses)
    for (size_t c = 0; c < input->cameras.size(); ++c) {
      CalibrationOptions options;
      options.unit_scale_m = command.unit_scale_m;
      options.width_px = input->cameras[c].width_px, options.height_px = input->cameras[c].height_px;
      const Calibration calibration = value_or_fail(read_calibration(path, options));
      for (const Camera& camera : calibration.cameras)
        if (camera.name() == input->cameras[c].name)
          input->cameras[c].given = camera, input->cameras[c].given_pose = true;
    }
  if (command.lenses.empty()) return;
  for (const BoardCamera& camera : input->cameras)
    if (!camera.given)
      fail_command({ErrorKind::not_found, "no file given with --lens holds this camera", camera.name,
                    "Name the camera as in the file: NAME=PATH."});
}

LensModel lens_model_named(const std::string& name) {
  for (const LensModel model : {LensModel::polynomial, LensModel::rational, LensModel::fisheye})
    if (name == lens_model_name(model)) return model;
  throw CLI::ValidationError("--lens-model", "'" + name + "' is not polynomial, rational or fisheye");
}

// MODEL of all cameras, or NAME=MODEL of one; later ones count. By camera; nothing: not stated.
std::vector<std::optional<LensModel>> stated_models(const BoardsCommand& command,
                                                    const std::vector<NamedPath>& named) {
  std::vector<std::optional<LensModel>> models(named.size());
  if (!command.lens_models.empty() && !command.lenses.empty() && !command.solve_lens)
    throw CLI::ValidationError("--lens-model", "lenses given with --lens are held; add --solve-lens");
  for (const std::string& text : command.lens_models) {
    const size_t equal = text.find('=');
    if (equal == std::string::npos)
      models.assign(named.size(), lens_model_named(text));
    else
      models[position_of(named, text.substr(0, equal), "--lens-model")] =
          lens_model_named(text.substr(equal + 1));
  }
  return models;
}

// Each camera's pictures for its lens count for themselves.
int64_t step_of(const BoardsCommand& command, const std::vector<BoardPictures>& pictures) {
  return command.every > 0 ? command.every : value_or_fail(common_step(pictures, interrupted()));
}

BoardsInput collect(const BoardsCommand& command, const std::vector<NamedPath>& named) {
  BoardsInput input{.board = command.board, .cameras = {}, .views = {}, .lens_views = {}};
  const FrameRange range = parse_frames(command.frames);
  std::vector<BoardPictures> posed;
  if (!command.cameras.empty())
    for (const NamedPath& camera : named)
      posed.push_back({camera.path, range.begin, range.end, 1, command.still});
  const int64_t step = step_of(command, posed);
  for (BoardPictures& pictures : posed) pictures.every = step;
  const auto models = stated_models(command, named);
  for (size_t c = 0; c < named.size(); ++c) {
    BoardCamera camera{.name = named[c].name, .given = {}};
    camera.solve_lens = command.solve_lens, camera.model = models[c];
    std::vector<std::pair<BoardPictures, bool>> sources;
    if (!posed.empty()) sources.emplace_back(posed[c], false);
    if (!command.lens_pictures.empty()) {
      BoardPictures lens{posed.empty() ? named[c].path : command.lens_pictures[c]};
      lens.every =
          posed.empty() ? step_of(command, {lens}) : value_or_fail(common_step({lens}, interrupted()));
      sources.emplace_back(lens, true);
    }
    for (const auto& [pictures, lens_only] : sources) {
      Progress progress("boards");
      FoundBoards found = value_or_fail(find_boards(
          pictures, static_cast<int>(c), command.board,
          [&](int64_t done, int64_t total) { progress.update(done, total); }, interrupted()));
      if (camera.width_px > 0 && (camera.width_px != found.width_px || camera.height_px != found.height_px))
        fail_command({ErrorKind::bad_data,
                      formatted("the pictures for the lens have %dx%d, those for the pose %dx%d",
                                found.width_px, found.height_px, camera.width_px, camera.height_px),
                      camera.name, "Record both with the same setting of the camera."});
      camera.width_px = found.width_px, camera.height_px = found.height_px;
      std::fprintf(stderr, "%s: the board was found in %zu of %d pictures of %s\n", camera.name.c_str(),
                   found.views.size(),
                   command.still && !lens_only ? std::min(found.pictures, 1) : found.pictures,
                   pictures.path.c_str());
      auto& views = lens_only ? input.lens_views : input.views;
      std::move(found.views.begin(), found.views.end(), std::back_inserter(views));
    }
    input.cameras.push_back(std::move(camera));
  }
  read_lenses(command, &input);
  return input;
}

BoardsInput collect_live(const BoardsCommand& command, const Project& project,
                         const std::vector<NamedPath>& named) {
  BoardsInput input{.board = command.board, .cameras = {}, .views = {}, .lens_views = {}};
  const auto models = stated_models(command, named);
  std::vector<CollectingCamera> collecting;
  for (const NamedPath& camera : named)
    collecting.push_back({camera.name, command.lenses.empty() || command.solve_lens});
  const std::vector<FoundBoards> found =
      pick_up_boards_or_fail(command.live, project, command.board, collecting);
  for (size_t c = 0; c < named.size(); ++c) {
    BoardCamera& camera = input.cameras.emplace_back();
    camera.name = named[c].name;
    camera.width_px = found[c].width_px, camera.height_px = found[c].height_px;
    camera.solve_lens = command.solve_lens, camera.model = models[c];
    input.views.insert(input.views.end(), found[c].views.begin(), found[c].views.end());
  }
  read_lenses(command, &input);
  return input;
}

std::vector<NamedPath> cameras_of(const Project& project) {
  std::vector<NamedPath> named;
  for (const ProjectCamera& camera : project.cameras) named.push_back({camera.name, camera.video});
  return named;
}

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
  ordered_json json = {{"name", camera.camera.name()},  {"pictures", camera.pictures},
                       {"corners", camera.corners},     {"rms_px", camera.rms_px},
                       {"median_px", camera.median_px}, {"max_px", camera.max_px},
                       {"lens", lens_json(camera)}};
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

ordered_json board_json(const Board& board) {
  if (board.tags)
    return {{"tag_columns", board.columns / 2},
            {"tag_rows", board.rows / 2},
            {"dictionary", board.tags->dictionary},
            {"tag_m", board.tags->side_m},
            {"tag_gap_m", board.tags->gap_m},
            {"first_tag", board.tags->first_id}};
  ordered_json json = {{"columns", board.columns}, {"rows", board.rows}, {"square_m", board.square_m}};
  if (board.markers) json["dictionary"] = board.markers->dictionary, json["marker_m"] = board.markers->side_m;
  return json;
}

ordered_json report_json(const BoardsCommand& command, const BoardsSolution& solution) {
  ordered_json json = {{"schema", "vantage-boards-1"}, {"board", board_json(command.board)}};
  if (solution.posed) json["world_frame"] = solution.world_instant, json["frames"] = solution.instants;
  for (const CameraSolution& camera : solution.cameras) json["cameras"].push_back(camera_json(camera));
  if (solution.posed) json["covariance"] = uncertainty_json(solution.together);
  for (const CornerResidual& residual : solution.residuals)
    json["residuals"].push_back(
        {{"camera", solution.cameras[static_cast<size_t>(residual.camera)].camera.name()},
         {"frame", residual.instant},
         {"for", residual.lens_view ? "lens" : "pose"},
         {"corner", residual.index},
         {"x_px", residual.x_px},
         {"y_px", residual.y_px}});
  return json;
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
  if (camera.lens_free[kFx])
    std::printf("           lens: %s\n", lens_text(camera).c_str());
  else
    std::printf("           lens: held as given, and counted as exact\n");
  if (camera.posed) {
    const Eigen::Vector3d center = camera.camera.center_in_world_m();
    std::printf("           at %.3f %.3f %.3f m +- %.1f mm, +- %.3f degrees\n", center.x(), center.y(),
                center.z(), 1000 * camera.center_std_m.norm(), camera.rotation_std_rad.norm() * 180 / M_PI);
  }
  for (const std::string& held : camera.held) std::printf("           not determined: %s\n", held.c_str());
  for (const std::string& advice : camera.advice) std::printf("           record next: %s\n", advice.c_str());
}

void boards(BoardsCommand command) {
  command.board = board_of(command.board_options);
  const bool live = !command.live.project.empty();
  if (command.cameras.empty() && command.lens_pictures.empty() && !live)
    throw CLI::ValidationError(
        "CAMERA", "give a video or folder of pictures for each camera, or --lens-pictures, or --live");
  if (!command.cameras.empty() && !command.lens_pictures.empty() &&
      command.cameras.size() != command.lens_pictures.size())
    throw CLI::ValidationError("--lens-pictures", "give as many as cameras, in their order");
  if (command.cameras.empty() && !live && !command.out.empty())
    throw CLI::ValidationError(
        "--out", "a calibration needs poses: give the videos that show the board to several cameras, too");
  const Project project = live ? value_or_fail(load_project(command.live.project)) : Project();
  const auto named = live ? cameras_of(project)
                          : named_paths(command.cameras.empty() ? command.lens_pictures : command.cameras);
  BoardsOptions options{.k3 = command.k3, .world_instant = command.world_frame, .half_turned = {}};
  options.board_above_floor_m = command.board_above_floor_m;
  if (!command.half_turn.empty()) {
    options.half_turned.emplace(named.size(), false);
    for (const std::string& name : command.half_turn)
      if (name != "none") (*options.half_turned)[position_of(named, name, "--half-turn")] = true;
  }
  const BoardsInput input = live ? collect_live(command, project, named) : collect(command, named);
  const BoardsSolution solution = value_or_fail(solve_boards(input, options));
  if (!command.out.empty()) {
    std::vector<Camera> cameras;
    for (const CameraSolution& camera : solution.cameras) {
      if (!camera.posed)
        fail_command(
            {ErrorKind::bad_data, "no picture shows the board to this camera at the time of the others",
             camera.camera.name(), "Record the board where it and another camera see it, or leave it out."});
      cameras.push_back(camera.camera);
    }
    check_or_fail(write_file_atomically(command.out, calibration_to_json(cameras)));
  }
  if (command.json) {
    print_json(report_json(command, solution));
    return;
  }
  for (const CameraSolution& camera : solution.cameras) print_camera(camera);
  if (solution.posed)
    std::printf(
        "The world is the board at frame %lld: origin at its first corner, z up from the printed side, %g m "
        "above the floor.\n",
        static_cast<long long>(solution.world_instant), command.board_above_floor_m);
}

void add_boards(CLI::App& calibrate) {
  auto command = std::make_shared<BoardsCommand>();
  CLI::App* app = calibrate.add_subcommand(
      "boards",
      "Solves lenses and poses from pictures of a chessboard, plain or with markers, or of a grid of tags.");
  CLI::Option* cameras = app->add_option(
      "cameras", command->cameras,
      "A video or folder of pictures of each camera, in step, that show the board: PATH or NAME=PATH");
  CLI::Option* lens_pictures = app->add_option(
      "--lens-pictures", command->lens_pictures,
      "Pictures or a video of the board for each camera's lens, in the cameras' order; need not be in step");
  add_board_options(*app, &command->board_options);
  CLI::Option* still =
      app->add_flag("--still", command->still, "Board and cameras do not move: the pictures' mean is used");
  app->add_option("--lens", command->lenses,
                  "Calibration files that hold the cameras' lenses, by name; their poses only tell which way "
                  "round the board is seen");
  app->add_option("--unit-scale", command->unit_scale_m,
                  "Metres per unit of these files, where they do not say");
  app->add_flag("--solve-lens", command->solve_lens, "Solve the lens also where --lens gives one");
  app->add_option(
      "--lens-model", command->lens_models,
      "The lenses solved: polynomial (k1 k2 p1 p2), rational (k1 k2 p1 p2 k3 k4 k5 k6) or fisheye "
      "(k1 k2 k3 k4); NAME=MODEL for one camera. Otherwise as given with --lens, or polynomial");
  app->add_flag("--k3", command->k3, "Polynomial lenses solved have a third radial coefficient");
  CLI::Option* frames = app->add_option("--frames", command->frames, "Only frames A:B (B excluded)");
  CLI::Option* every = app->add_option("--every", command->every, "Every Nth frame; 0: about 40 in all")
                           ->check(CLI::NonNegativeNumber);
  app->add_option("--world-frame", command->world_frame,
                  "The frame whose board is the world; else the first that the most cameras see");
  app->add_option("--board-above-floor", command->board_above_floor_m,
                  "How far the printed side lies above the floor then (m)");
  app->add_option("--half-turn", command->half_turn,
                  "Cameras in whose picture the board at the world's frame is turned by half against the "
                  "others ('none': no camera), for boards that look the same after half a turn");
  app->add_option("--out", command->out, "Write the calibration to this file (Vantage JSON)");
  app->add_flag("--json", command->json, "Print the report as JSON, with every residual and covariance");
  CLI::Option* live = add_live_boards_options(*app, command->live);
  for (CLI::Option* recorded : {cameras, lens_pictures, still, frames, every}) live->excludes(recorded);
  app->callback([command] { boards(*command); });
}

}  // namespace

void add_calibrate(CLI::App& app) {
  CLI::App* calibrate = app.add_subcommand("calibrate",
                                           "Solves calibrations from a board, clicked points or people who "
                                           "walk; levels, scales, measures, compares, reports, "
                                           "applies and converts them.");
  calibrate->require_subcommand(1);
  add_boards(*calibrate);
  add_print(*calibrate);
  add_points(*calibrate);
  add_bumped(*calibrate);
  add_people(*calibrate);
  add_level(*calibrate);
  add_scale(*calibrate);
  add_measure(*calibrate);
  add_compare(*calibrate);
  add_report(*calibrate);
  add_apply(*calibrate);
  add_convert(*calibrate);
}

}  // namespace vantage::cli
