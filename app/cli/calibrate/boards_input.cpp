#include "app/cli/calibrate/boards_input.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>

#include "app/cli/common/chain.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/formatted.h"
#include "core/calibration/formats/calibration.h"
#include "core/calibration/solve/board_guess.h"
#include "core/geometry/lens_inverse.h"
#include "core/project/match_cameras.h"
#include "core/setup/boards/board_pictures.h"

namespace vantage::cli {
namespace {

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
    throw CLI::ValidationError("--lens-model", "lenses given with --lens are fixed; add --solve-lens");
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

void match_or_fail(const BoardsCommand& command, std::vector<BoardPictures>* posed) {
  std::vector<BoardPictures*> clips;
  for (BoardPictures& pictures : *posed) clips.push_back(&pictures);
  const auto file = value_or_fail(match_pictures(clips, command.out_of_step, interrupted()));
  if (!file.empty()) std::fprintf(stderr, "Some clips lack pictures: they are matched by %s\n", file.c_str());
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
                  formatted("the lens pictures have %dx%d px, the pose pictures %dx%d px", found.width_px,
                            found.height_px, camera->width_px, camera->height_px),
                  camera->name, "Record both with the same setting of the camera."});
  camera->width_px = found.width_px, camera->height_px = found.height_px;
  std::fprintf(stderr, "%s: %s was found in %d of %d pictures of %s\n", camera->name.c_str(),
               command.boards.size() > 1 ? "a board" : "the board", found.pictures_with_board(),
               pictures.still ? std::min(found.pictures, 1) : found.pictures, pictures.path.c_str());
  std::move(found.views.begin(), found.views.end(), std::back_inserter(*views));
}

// The markers tell the board better than a person who counted its squares.
std::vector<Board> shown_boards(const BoardsCommand& command, const std::vector<NamedPath>& named,
                                size_t fixed) {
  if (command.boards.size() != 1) return command.boards;
  const FrameRange range = parse_frames(command.frames);
  std::vector<BoardPictures> pictures;
  for (size_t c = 0; c < fixed; ++c)
    if (command.cameras.empty())
      pictures.push_back({command.lens_pictures[c]});
    else
      pictures.push_back({named[c].path, range.begin, range.end});
  const auto shown = value_or_fail(board_shown(pictures, command.boards[0], interrupted()));
  if (!shown) return command.boards;
  std::fprintf(stderr, "%s: this board is used\n", shown_text(*shown, command.boards[0]).c_str());
  return {*shown};
}

void collect_hand_held(const BoardsCommand& command, const std::vector<NamedPath>& named,
                       const std::vector<std::optional<LensModel>>& models, BoardsInput* input) {
  for (const NamedPath& one : named) {
    const size_t number = input->cameras.size();
    BoardCamera camera{.name = one.name};
    camera.hand_held = true, camera.solve_lens = command.solve_lens, camera.model = models[number];
    BoardPictures pictures{one.path};
    pictures.every =
        command.every > 0 ? command.every : value_or_fail(hand_held_step(pictures, interrupted()));
    find_or_fail(command, pictures, number, &camera, &input->views);
    input->cameras.push_back(std::move(camera));
  }
}

}  // namespace

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

std::vector<NamedPath> cameras_of(const Project& project) {
  std::vector<NamedPath> named;
  for (const ProjectCamera& camera : project.cameras) named.push_back({camera.name, camera.video});
  return named;
}

size_t position_of(const std::vector<NamedPath>& cameras, const std::string& name, const char* option) {
  std::vector<std::string> names;
  for (const NamedPath& camera : cameras) names.push_back(camera.name);
  const Result<size_t> found = vantage::camera_named(names, name);
  if (!found) throw CLI::ValidationError(option, found.error().what);
  return *found;
}

BoardsInput collect(const BoardsCommand& stated, const std::vector<NamedPath>& named, size_t fixed) {
  BoardsCommand command = stated;
  command.boards = shown_boards(stated, named, fixed);
  BoardsInput input{.boards = command.boards, .cameras = {}, .views = {}, .lens_views = {}};
  const FrameRange range = parse_frames(command.frames);
  std::vector<BoardPictures> posed;
  if (!command.cameras.empty())
    for (size_t c = 0; c < fixed; ++c)
      posed.push_back({named[c].path, range.begin, range.end, 1, command.still});
  const int64_t step = step_of(command, posed);
  for (BoardPictures& pictures : posed) pictures.every = step;
  if (!command.still) match_or_fail(command, &posed);
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
    fail_command({ErrorKind::unsupported, "live cameras are calibrated with one board only", "--live",
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

}  // namespace vantage::cli
