// vantage-cli calibrate boards: calibrations solved from pictures of a board, or of several.
#include "app/cli/calibrate/calibrate_boards.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "app/cli/calibrate/board_options.h"
#include "app/cli/calibrate/boards_output.h"
#include "app/cli/calibrate/live_boards.h"
#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/board_calibration/board_pictures.h"
#include "core/calibrate/board_solve.h"
#include "core/calibration/calibration.h"
#include "core/project/match_cameras.h"

namespace vantage::cli {
namespace {

struct BoardsCommand {
  std::vector<std::string> cameras, lens_pictures, lenses, lens_models, half_turn, hand_held;
  BoardOptions board_options;
  std::vector<Board> boards;
  std::string frames, out;
  std::optional<double> unit_scale_m;
  std::optional<int64_t> world_frame;
  int64_t every = 0;
  double board_above_floor_m = 0;
  bool still = false, out_of_step = false, solve_lens = false, k3 = false, json = false;
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
    if (!camera.given && !camera.hand_held)
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
  if (command.out_of_step) return 1;
  return command.every > 0 ? command.every : value_or_fail(common_step(pictures, interrupted()));
}

// What a camera's pictures show of the boards, into `views`.
void find_or_fail(const BoardsCommand& command, const BoardPictures& pictures, size_t number,
                  BoardCamera* camera, std::vector<BoardView>* views) {
  Progress progress("boards");
  FoundBoards found = value_or_fail(find_boards(
      pictures, static_cast<int>(number), command.boards,
      [&](int64_t done, int64_t total) { progress.update(done, total); }, interrupted()));
  if (camera->width_px > 0 && (camera->width_px != found.width_px || camera->height_px != found.height_px))
    fail_command({ErrorKind::bad_data,
                  formatted("the pictures for the lens have %dx%d, those for the pose %dx%d", found.width_px,
                            found.height_px, camera->width_px, camera->height_px),
                  camera->name, "Record both with the same setting of the camera."});
  camera->width_px = found.width_px, camera->height_px = found.height_px;
  std::fprintf(stderr, "%s: %s was found in %d of %d pictures of %s\n", camera->name.c_str(),
               command.boards.size() > 1 ? "a board" : "the board", found.pictures_with_board(),
               pictures.still ? std::min(found.pictures, 1) : found.pictures, pictures.path.c_str());
  std::move(found.views.begin(), found.views.end(), std::back_inserter(*views));
}

// Pictures enough that two boards which follow each other are seen together in some.
void collect_hand_held(const BoardsCommand& command, const std::vector<NamedPath>& named,
                       const std::vector<std::optional<LensModel>>& models, BoardsInput* input) {
  constexpr int64_t kOfCommonStep = 3;
  for (const NamedPath& one : named) {
    const size_t number = input->cameras.size();
    BoardCamera camera{.name = one.name};
    camera.hand_held = true, camera.solve_lens = command.solve_lens, camera.model = models[number];
    BoardPictures pictures{one.path};
    pictures.every =
        command.every > 0
            ? command.every
            : std::max<int64_t>(1, value_or_fail(common_step({pictures}, interrupted())) / kOfCommonStep);
    find_or_fail(command, pictures, number, &camera, &input->views);
    input->cameras.push_back(std::move(camera));
  }
}

// The hand-held ones come last.
BoardsInput collect(const BoardsCommand& command, const std::vector<NamedPath>& named, size_t fixed) {
  BoardsInput input{.boards = command.boards, .cameras = {}, .views = {}, .lens_views = {}};
  const FrameRange range = parse_frames(command.frames);
  std::vector<BoardPictures> posed;
  if (!command.cameras.empty())
    for (size_t c = 0; c < fixed; ++c)
      posed.push_back({named[c].path, range.begin, range.end, 1, command.still});
  const int64_t step = step_of(command, posed);
  for (BoardPictures& pictures : posed) pictures.every = step;
  const auto models = stated_models(command, named);
  for (size_t c = 0; c < fixed; ++c) {
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
    for (const auto& [pictures, lens_only] : sources)
      find_or_fail(command, pictures, c, &camera, lens_only ? &input.lens_views : &input.views);
    input.cameras.push_back(std::move(camera));
  }
  const std::vector<NamedPath> held(named.begin() + static_cast<std::ptrdiff_t>(fixed), named.end());
  collect_hand_held(command, held, models, &input);
  read_lenses(command, &input);
  return input;
}

BoardsInput collect_live(const BoardsCommand& command, const Project& project,
                         const std::vector<NamedPath>& named) {
  if (command.boards.size() > 1)
    fail_command({ErrorKind::unsupported, "live cameras are shown one board alone", "--live",
                  "Record the boards, and solve from the recordings."});
  BoardsInput input{.boards = command.boards, .cameras = {}, .views = {}, .lens_views = {}};
  const auto models = stated_models(command, named);
  std::vector<CollectingCamera> collecting;
  for (const NamedPath& camera : named)
    collecting.push_back({camera.name, command.lenses.empty() || command.solve_lens});
  const std::vector<FoundBoards> found =
      pick_up_boards_or_fail(command.live, project, command.boards[0], collecting);
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

void check_hand_held(const BoardsCommand& command) {
  if (command.hand_held.empty()) return;
  if (command.cameras.empty())
    throw CLI::ValidationError("--hand-held", "give the cameras that it links, too");
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
                            const BoardsOptions& options) {
  if (!command.out_of_step) return {.solution = value_or_fail(solve_boards(input, options))};
  SolvedBoards solved{.frame_rate = frame_rate};
  OutOfStepSolution found = value_or_fail(solve_out_of_step(input, options));
  solved.solution = std::move(found.solution), solved.clips = std::move(found.clips);
  return solved;
}

void check_half_turn(const BoardsCommand& command) {
  if (!command.half_turn.empty() && command.boards.size() > 1)
    throw CLI::ValidationError("--half-turn", "several boards have markers, which tell how they are turned");
}

void check_out_of_step(const BoardsCommand& command) {
  if (!command.out_of_step) return;
  if (command.cameras.size() < 2)
    throw CLI::ValidationError("--out-of-step", "give the clips of two cameras or more");
  if (!command.hand_held.empty() || command.boards.size() > 1)
    throw CLI::ValidationError("--out-of-step", "one board alone tells how far clips are out of step");
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
    throw CLI::ValidationError("--lens-pictures", "give as many as cameras, in their order");
  if (command.cameras.empty() && !live && !command.out.empty())
    throw CLI::ValidationError(
        "--out", "a calibration needs poses: give the videos that show the board to several cameras, too");
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
  const double frame_rate = command.out_of_step ? rate_or_fail(named) : 0;
  const BoardsInput input = live ? collect_live(command, project, named) : collect(command, named, fixed);
  const SolvedBoards solved = solved_or_fail(command, frame_rate, input, options);
  const BoardsSolution& solution = solved.solution;
  if (!command.out.empty()) {
    std::vector<Camera> cameras;
    for (size_t c = 0; c < solution.cameras.size(); ++c) {
      const CameraSolution& camera = solution.cameras[c];
      if (input.cameras[c].hand_held) continue;
      if (!camera.posed)
        fail_command(
            {ErrorKind::bad_data, "no picture shows the board to this camera at the time of the others",
             camera.camera.name(), "Record the board where it and another camera see it, or leave it out."});
      cameras.push_back(camera.camera);
    }
    check_or_fail(write_file_atomically(command.out, calibration_to_json(cameras)));
  }
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
                                         "A video or folder of pictures of each camera, in step unless "
                                         "--out-of-step, that show the board: PATH or NAME=PATH");
  CLI::Option* lens_pictures = app->add_option(
      "--lens-pictures", command->lens_pictures,
      "Pictures or a video of the board for each camera's lens, in the cameras' order; need not be in step");
  CLI::Option* hand_held = app->add_option(
      "--hand-held", command->hand_held,
      "A video or folder of pictures of a camera that is carried from board to board, in which "
      "two boards are seen at once again and again: it links cameras that share no view, and is "
      "not part of the calibration; PATH or NAME=PATH");
  add_board_options(*app, &command->board_options);
  CLI::Option* still =
      app->add_flag("--still", command->still, "Board and cameras do not move: the pictures' mean is used");
  CLI::Option* out_of_step = app->add_flag(
      "--out-of-step", command->out_of_step,
      "The clips are not in step: by how much is solved with the board, which has to move, and whether the "
      "cameras expose row by row; every frame is examined");
  out_of_step->excludes(still);
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
  out_of_step->excludes(every);
  for (CLI::Option* recorded : {cameras, lens_pictures, hand_held, still, out_of_step, frames, every})
    live->excludes(recorded);
  app->callback([command] { boards(*command); });
}

}  // namespace vantage::cli
