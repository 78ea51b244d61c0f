// The boards by which a project's cameras are solved, and how: what the window's page Board says, kept in the
// project. core/setup/boards/project_boards.h solves by it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/calibration/solve/board.h"
#include "core/geometry/lens.h"

namespace vantage {

struct ProjectBoards {
  // Several stand rigidly to each other, or lie still (BoardsInput); none: not stated.
  std::vector<Board> boards = {};
  // Videos, folders of pictures or patterns of cameras that are carried from board to board and are none of
  // the project's; absolute here, relative to the project file on disk.
  std::vector<std::string> hand_held = {};
  bool solve_lens = true;  // otherwise the project's lenses are held; a camera without one is solved
  std::optional<LensModel> model = {};  // of the lenses solved; nothing: as the project has them
  bool still = false;                   // board and cameras rest
  // The clips, own videos too, are out of step by what is solved with the board (clip_offsets.h); all their
  // pictures are examined. Not together with `still`.
  bool out_of_step = false;
  double board_above_floor_m = 0;  // of the printed side, at the world's instant

  bool operator==(const ProjectBoards&) const = default;
};

}  // namespace vantage
