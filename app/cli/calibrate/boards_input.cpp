#include "app/cli/calibrate/boards_input.h"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>

#include "app/cli/common/chain.h"
#include "app/cli/common/command.h"
#include "app/cli/common/project_arguments.h"
#include "core/base/text.h"
#include "core/calibration/formats/calibration.h"
#include "core/calibration/solve/board.h"
#include "core/geometry/lens_inverse.h"
#include "core/project/match_cameras.h"
#include "core/project/project_store.h"
#include "core/run/run.h"
#include "core/setup/boards/board_pictures.h"

namespace vantage::cli {
namespace {

// "cam1       12 pictures, 71 % covered, 5 slanted; at once with cam2 9, cam3 11".
void print_picked_up(const CollectedBoards& collected) {
  for (size_t c = 0; c < collected.cameras.size(); ++c) {
    const CollectedCamera& camera = collected.cameras[c];
    std::string pairs;
    for (const LinkedCameras& pair : collected.pairs)
      if (pair.first == c || pair.second == c)
        pairs += (pairs.empty() ? "; at once with " : ", ") +
                 collected.cameras[pair.first == c ? pair.second : pair.first].name + " " +
                 std::to_string(pair.sets);
    fmt::print(stderr, "{:10} {} pictures of {}, {} % of its picture covered, {} slanted{}\n", camera.name,
               camera.kept.views.size(), camera.examined, camera.covered_percent, camera.slanted, pairs);
  }
}

// Prints a line whenever a view was recorded or the next step changed.
class PickingUp {
 public:
  void update(const CollectedBoards& collected) {
    if (!collected.newest_kept && (collected.next == report_ || !due())) return;
    report_ = collected.next, told_ns_ = trace_now_ns();
    std::string cameras;
    for (const CollectedCamera& camera : collected.cameras)
      cameras += fmt::format("  {} {}", camera.name, camera.kept.views.size());
    fmt::print(stderr, "{} {}:{}   {}\n", collected.newest_kept ? "picked up" : "so far   ", collected.sets,
               cameras, collected.next);
  }

 private:
  bool due() const { return trace_now_ns() - told_ns_ >= 1'000'000'000; }

  std::string report_;
  int64_t told_ns_ = 0;
};

std::vector<BoardPictureFiles::Size> sizes_of(LiveFrameSource& cameras) {
  std::vector<BoardPictureFiles::Size> sizes;
  for (int c = 0; c < cameras.camera_count(); ++c)
    sizes.push_back({cameras.info(c).width_px, cameras.info(c).height_px});
  return sizes;
}

void print_repeat(const BoardPictureFiles& files, const std::vector<CollectingCamera>& cameras) {
  std::string words;
  for (size_t c = 0; c < cameras.size(); ++c)
    words += " '" + cameras[c].name + "=" + files.folders()[c].string() + "'";
  fmt::print(stderr, "to solve again: vantage-cli calibrate boards{} --every 1, with the same board\n",
             words);
}

}  // namespace

CLI::Option* add_live_boards_options(CLI::App& command, LiveBoardsOptions& options) {
  CLI::Option* live =
      command
          .add_option("--live", options.project,
                      "record pictures of the board from the live cameras of this project whenever it is "
                      "held still, until Ctrl-C; files are played at their own pace")
          ->type_name("PROJECT");
  command.add_option("--seconds", options.seconds, "live: stop after so many seconds; 0: at Ctrl-C")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->needs(live);
  command
      .add_option("--bound", options.bound_ms,
                  "live: milliseconds that the pictures of a frame set wait for the last one")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->needs(live);
  command
      .add_option("--keep", options.keep,
                  "live: write the recorded pictures to this folder, so that it can be solved again")
      ->type_name("DIR")
      ->needs(live);
  return live;
}

std::vector<FoundBoards> pick_up_boards_or_fail(const LiveBoardsOptions& options, const Project& project,
                                                const Board& board,
                                                const std::vector<CollectingCamera>& cameras) {
  std::optional<BoardPictureFiles> files;
  std::vector<std::string> names;
  for (const CollectingCamera& camera : cameras) names.push_back(camera.name);
  if (!options.keep.empty()) files = value_or_fail(BoardPictureFiles::make(options.keep, names));
  AnalysisOptions opening;
  opening.live = LiveOptions{.bound_s = options.bound_ms * 1e-3};
  opening.stop = interrupted();
  const auto source = value_or_fail(open_live_cameras(project, opening));
  BoardCollector collector(board, cameras);
  PickingUp progress;
  progress.update(collector.collected());
  constexpr double kWait_s = 0.5;  // for a set, before the clock is read again
  const int64_t start = trace_now_ns();
  while (options.seconds <= 0 || static_cast<double>(trace_now_ns() - start) * 1e-9 < options.seconds) {
    const Result<std::optional<int64_t>> set = source->next(interrupted(), kWait_s);
    if (!set && set.error().kind == ErrorKind::cancelled) break;
    if (!value_or_fail(set)) continue;
    FrameSet frames = value_or_fail(source->read(**set));
    if (files) frames = value_or_fail(BoardPictureFiles::as_written(frames));
    if (collector.add(frames.time_ns, see_boards(frames, board)) && files)
      check_or_fail(files->write(collector.collected().sets - 1, frames, sizes_of(*source)));
    source->note_result(**set);
    progress.update(collector.collected());
  }
  print_picked_up(collector.collected());
  for (const CollectedCamera& camera : collector.collected().cameras)
    if (camera.kept.views.empty())
      fail_command({ErrorKind::bad_data,
                    fmt::format("no {} was picked up in {} pictures", board_text(board), camera.examined),
                    camera.name,
                    "Show the board to this camera, too, and hold it still for half a second. " +
                        board_advice(board)});
  if (files) print_repeat(*files, cameras);
  return collector.found();
}

namespace {

double frames_in(const std::string& text, const char* option) {
  const size_t equal = text.rfind('=');
  double frames = 0;
  if (equal != std::string::npos && equal > 0) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + equal + 1, end, frames);
    if (read.ec == std::errc() && read.ptr == end && std::isfinite(frames)) return frames;
  }
  throw CLI::ValidationError(option, "'" + text + "' is not of the form NAME=FRAMES");
}

void take(const std::vector<std::string>& texts, bool held, const std::vector<std::string>& cameras,
          std::vector<std::optional<GivenOffset>>* offsets) {
  const char* const option = held ? "--offset" : "--offset-start";
  for (const std::string& text : texts) {
    const double frames = frames_in(text, option);
    const Result<size_t> camera = vantage::camera_named(cameras, text.substr(0, text.rfind('=')));
    if (!camera) throw CLI::ValidationError(option, camera.error().what);
    if (*camera == 0 && frames != 0)
      throw CLI::ValidationError(option, "offsets count from the first clip, " + cameras[0]);
    if ((*offsets)[*camera])
      throw CLI::ValidationError(option, "the offset of " + cameras[*camera] + " is given twice");
    (*offsets)[*camera] = GivenOffset{frames, held};
  }
}

}  // namespace

void add_clip_offsets_options(CLI::App& command, CLI::Option* out_of_step, ClipOffsetsOptions* options) {
  CLI::Option* held = command
                          .add_option("--offset", options->held,
                                      "known offset of this clip, which stays fixed: its frame at frame 0 of "
                                      "the first clip; may be a fraction (repeatable)")
                          ->type_name("NAME=FRAMES")
                          ->expected(1);
  CLI::Option* start = command
                           .add_option("--offset-start", options->starts,
                                       "rough offset of this clip, right to about a frame, from which it is "
                                       "solved; for boards that swing with one period (repeatable)")
                           ->type_name("NAME=FRAMES")
                           ->expected(1);
  CLI::Option* project =
      command
          .add_option(
              "--apply-offsets", options->project,
              "write the offsets to this project, whose videos are the clips; cameras are matched by name")
          ->type_name("P.vantage");
  CLI::Option* same_run = command.add_flag(
      "--same-run", options->same_run,
      "the clips are not the project's videos, but begin together with them: their offsets are the same");
  for (CLI::Option* option : {held, start, project}) option->needs(out_of_step);
  for (CLI::Option* option : {held, start}) option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  same_run->needs(project);
}

std::vector<std::optional<GivenOffset>> given_offsets(const ClipOffsetsOptions& options,
                                                      const std::vector<std::string>& cameras) {
  std::vector<std::optional<GivenOffset>> offsets(cameras.size());
  take(options.held, true, cameras, &offsets);
  take(options.starts, false, cameras, &offsets);
  return offsets;
}

void check_project_of_offsets(const ClipOffsetsOptions& options, const std::vector<BoardClip>& clips) {
  if (options.project.empty()) return;
  const Project project = value_or_fail(load_project(options.project));
  // Checks early, with offsets of 0, for what would be refused later.
  value_or_fail(recording_offsets(project, clips, std::vector<ClipTiming>(clips.size()), {0}));
  std::string others;
  for (const std::string& name : cameras_with_other_clips(project, clips)) append_item(&others, name);
  if (!others.empty() && !options.same_run)
    fail_command({ErrorKind::invalid_argument,
                  "the clip is not the project's video: its offset can differ from the recording's", others,
                  "Give the project's videos, or --same-run where the clips begin together with them."});
}

void write_offsets_or_fail(const ClipOffsetsOptions& options, const std::vector<BoardClip>& clips,
                           const std::vector<ClipTiming>& timings, const std::vector<int64_t>& instants) {
  if (options.project.empty()) return;
  std::vector<RecordingOffset> offsets;
  // The present contents on the disk.
  const Project written = value_or_fail(change_project_file(options.project, [&](Project& stored) -> Status {
    VANTAGE_ASSIGN(offsets, recording_offsets(stored, clips, timings, instants));
    take_offsets(offsets, &stored);
    return {};
  }));
  for (const RecordingOffset& one : offsets)
    fmt::print(stderr, "{}: offset {:g} -> {:g} frames in {}\n", one.camera, one.before_frames,
               one.now_frames, options.project);
  tell_who_has_it(written.path);
}

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

// MODEL for all cameras, or NAME=MODEL for one; later ones take precedence. By camera; nothing: not stated.
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

// Pictures for a camera's lens have their own step.
int64_t step_of(const BoardsCommand& command, const std::vector<BoardPictures>& pictures) {
  if (command.out_of_step) return 1;
  return command.every > 0 ? command.every : value_or_fail(common_step(pictures, interrupted()));
}

void match_or_fail(const BoardsCommand& command, std::vector<BoardPictures>* posed) {
  std::vector<BoardPictures*> clips;
  for (BoardPictures& pictures : *posed) clips.push_back(&pictures);
  const auto file = value_or_fail(match_pictures(clips, command.out_of_step, interrupted()));
  if (!file.empty()) fmt::print(stderr, "Some clips lack pictures: they are matched by {}\n", file.string());
}

// Finds the boards in a camera's pictures and adds them to `views`.
void find_or_fail(const BoardsCommand& command, const BoardPictures& pictures, size_t number,
                  BoardCamera* camera, std::vector<BoardView>* views) {
  Progress progress("boards");
  FoundBoards found = value_or_fail(find_boards(
      pictures, static_cast<int>(number), command.boards,
      [&](int64_t done, int64_t total) { progress.update(done, total); }, interrupted()));
  if (camera->width_px > 0 && (camera->width_px != found.width_px || camera->height_px != found.height_px))
    fail_command({ErrorKind::bad_data,
                  fmt::format("the lens pictures have {}x{} px, the pose pictures {}x{} px", found.width_px,
                              found.height_px, camera->width_px, camera->height_px),
                  camera->name, "Record both with the same setting of the camera."});
  camera->width_px = found.width_px, camera->height_px = found.height_px;
  fmt::print(stderr, "{}: {} was found in {} of {} pictures of {}\n", camera->name,
             command.boards.size() > 1 ? "a board" : "the board", found.pictures_with_board(),
             pictures.still ? std::min(found.pictures, 1) : found.pictures, pictures.path);
  std::move(found.views.begin(), found.views.end(), std::back_inserter(*views));
}

// Markers identify the board more reliably than the stated number of squares.
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
  fmt::print(stderr, "{}: this board is used\n", shown_text(*shown, command.boards[0]));
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
    if (!path.has_filename()) path = path.parent_path();  // a folder's trailing slash
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

LeftOutPictures left_out_pictures(const BoardsCommand& command, const std::vector<NamedPath>& named) {
  LeftOutPictures pictures;
  for (const std::string& text : command.leave_out) {
    const double frame = frames_in(text, "--leave-out");
    pictures.emplace_back(position_of(named, text.substr(0, text.rfind('=')), "--leave-out"),
                          static_cast<int64_t>(frame));
  }
  return pictures;
}

void leave_out_or_fail(const LeftOutPictures& pictures, BoardsInput* input) {
  for (const auto& [camera, frame] : pictures) {
    size_t dropped = 0;
    for (std::vector<BoardView>* views : {&input->views, &input->lens_views})
      dropped += std::erase_if(*views, [&, c = static_cast<int>(camera), f = frame](const BoardView& view) {
        return view.camera == c && view.instant == f;
      });
    if (dropped == 0)
      fail_command({ErrorKind::not_found, fmt::format("no board was found in frame {}", frame),
                    input->cameras[camera].name + ", --leave-out",
                    "Name a frame as the residuals (--json) number it."});
  }
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
