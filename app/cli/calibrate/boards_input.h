// Inputs of calibrate boards, and the views of boards in its pictures.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/calibrate/board_options.h"
#include "core/calibration/solve/board_solve.h"
#include "core/project/project.h"
#include "core/setup/boards/board_collector.h"
#include "core/setup/boards/recorded_instants.h"

namespace vantage::cli {

// `calibrate boards --live`: records views of a board shown to a project's live cameras.

struct LiveBoardsOptions {
  std::string project, keep;
  double seconds = 0, bound_ms = 200;
};

// Adds the options; the others require --live, which is returned.
CLI::Option* add_live_boards_options(CLI::App& command, LiveBoardsOptions& options);

// Until Ctrl-C or the seconds have passed; reports recorded views and the next step on stderr. Views by
// camera, as for solve_found_boards(). Fails if a camera has none.
std::vector<FoundBoards> pick_up_boards_or_fail(const LiveBoardsOptions& options, const Project& project,
                                                const Board& board,
                                                const std::vector<CollectingCamera>& cameras);

// `calibrate boards --out-of-step`: known offsets, and the project to which solved ones are applied.

struct ClipOffsetsOptions {
  std::vector<std::string> held, starts;  // NAME=FRAMES
  std::string project;
  bool same_run = false;
};

// All of them require `out_of_step`.
void add_clip_offsets_options(CLI::App& command, CLI::Option* out_of_step, ClipOffsetsOptions* options);
// Offsets by camera. Throws for wrong usage.
std::vector<std::optional<GivenOffset>> given_offsets(const ClipOffsetsOptions& options,
                                                      const std::vector<std::string>& cameras);
// Fails if the clips' offsets cannot be applied to the project; called before any picture is examined.
void check_project_of_offsets(const ClipOffsetsOptions& options, const std::vector<BoardClip>& clips);
// Writes them into the project and reports it on stderr.
void write_offsets_or_fail(const ClipOffsetsOptions& options, const std::vector<BoardClip>& clips,
                           const std::vector<ClipTiming>& timings, const std::vector<int64_t>& instants);

struct BoardsCommand {
  std::vector<std::string> cameras, lens_pictures, lenses, lens_models, half_turn, hand_held, leave_out;
  BoardOptions board_options;
  std::vector<Board> boards;
  std::string frames, out;
  std::optional<double> unit_scale_m;
  std::optional<int64_t> world_frame;
  int64_t every = 0;
  double board_above_floor_m = 0;
  bool still = false, out_of_step = false, solve_lens = false, k3 = false, json = false;
  ClipOffsetsOptions offsets;
  LiveBoardsOptions live;
};

struct NamedPath {
  std::string name, path;
};

// NAME=PATH, or PATH: then the file's name if that differs between cameras, else its folder's.
std::vector<NamedPath> named_paths(const std::vector<std::string>& texts);
std::vector<NamedPath> cameras_of(const Project& project);
// Wrong usage of `option` if no camera has that name.
size_t position_of(const std::vector<NamedPath>& cameras, const std::string& name, const char* option);

// Views with the cameras' lenses; those of hand-held cameras come last, after `fixed`. Unreadable pictures
// are failures.
BoardsInput collect(const BoardsCommand& command, const std::vector<NamedPath>& named, size_t fixed);
// The pictures of --leave-out: camera and frame. Throws for wrong usage.
using LeftOutPictures = std::vector<std::pair<size_t, int64_t>>;
LeftOutPictures left_out_pictures(const BoardsCommand& command, const std::vector<NamedPath>& named);
// Drops their views; fails if there are none.
void leave_out_or_fail(const LeftOutPictures& pictures, BoardsInput* input);
// The same from live cameras, until there are enough views.
BoardsInput collect_live(const BoardsCommand& command, const Project& project,
                         const std::vector<NamedPath>& named);

}  // namespace vantage::cli
