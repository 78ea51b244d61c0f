// What calibrate boards is given, and the views of boards that its pictures show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/calibrate/board_options.h"
#include "app/cli/calibrate/clip_offsets_options.h"
#include "app/cli/calibrate/live_boards.h"
#include "core/calibration/solve/board_solve.h"

namespace vantage::cli {

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
  ClipOffsetsOptions offsets;
  LiveBoardsOptions live;
};

struct NamedPath {
  std::string name, path;
};

// NAME=PATH, or PATH: then the file's name where that tells the cameras apart, else its folder's.
std::vector<NamedPath> named_paths(const std::vector<std::string>& texts);
std::vector<NamedPath> cameras_of(const Project& project);
// Wrong usage of `option` where no camera has that name.
size_t position_of(const std::vector<NamedPath>& cameras, const std::string& name, const char* option);

// Views with the cameras' lenses; the hand-held ones come last, behind `fixed`. What cannot be read is a
// failure.
BoardsInput collect(const BoardsCommand& command, const std::vector<NamedPath>& named, size_t fixed);
// The same from live cameras, until enough was picked up.
BoardsInput collect_live(const BoardsCommand& command, const Project& project,
                         const std::vector<NamedPath>& named);

}  // namespace vantage::cli
