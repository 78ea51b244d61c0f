// The cameras of a project solved by a board that is shown to them, or by several (ProjectBoards).
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/calibration/solve/board.h"
#include "core/calibration/solve/clip_offsets.h"
#include "core/project/project.h"
#include "core/setup/boards/board_pictures.h"

namespace vantage {

// Cameras that saw one of the boards.
struct BoardSightings {
  std::vector<std::string> cameras;  // by name, in the project's order, then hand-held ones
  int views = 0;                     // of all of them
};

struct SolvedProjectBoards {
  BoardsSolution solution;         // cameras in the project's order, by its names, then hand-held ones
  std::vector<FoundBoards> found;  // by camera, likewise
  std::vector<ClipTiming> clips;   // by camera; only where they were out of step
};

// Names of the hand-held cameras: their clips', such that no camera has the same.
std::vector<std::string> hand_held_names(const Project& project, const ProjectBoards& boards);

// Boards in the cameras' pictures, then in the hand-held cameras'. `progress` counts frames of all of them.
// Errors: those of find_boards(); invalid_argument for live cameras without pictures; bad_data for a camera
// that sees no board; unsupported for times together with several boards.
Result<std::vector<FoundBoards>> find_project_boards(
    const Project& project, const ProjectBoards& boards,
    const std::function<void(int64_t done, int64_t total)>& progress, const StopSource& stop);
// Sightings by board. `found`: as above, or picked up from live cameras.
std::vector<BoardSightings> sightings_of(const Project& project, const ProjectBoards& boards,
                                         const std::vector<FoundBoards>& found);
// Solves from existing views, one entry a camera of the project, then one a hand-held camera: found as above,
// or picked up from live cameras (board_collector.h). `known` counts only out of step. Errors: those of
// solve_boards() and solve_out_of_step(); bad_data for a camera without a view, or with pictures of another
// size than its fixed lens.
Result<SolvedProjectBoards> solve_found_boards(const Project& project, const ProjectBoards& boards,
                                               std::vector<FoundBoards> found,
                                               const OutOfStepOptions& known = {});
// Both, one after the other; `progress` then counts what OutOfStepOptions counts.
Result<SolvedProjectBoards> solve_project_boards(
    const Project& project, const ProjectBoards& boards,
    const std::function<void(int64_t done, int64_t total)>& progress, const StopSource& stop);

// Boards as stated by files of other programs and by options of the command line.

// Kalibr's target.yaml, whose aprilgrids are of DICT_APRILTAG_36h11, or, of files that end in .toml,
// caliscope's charuco.toml. Errors: those of read_kalibr_target(), read_caliscope_board() and check_board().
Result<Board> read_board(const std::filesystem::path& path);

// "--columns 9 --rows 6 --square 0.08": with which `calibrate boards` solves by this board, or by so many
// alike (boards_alike()).
std::string board_options_text(const Board& board, int count = 1);

}  // namespace vantage
