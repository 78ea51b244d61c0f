// The cameras of a project solved by a board that is shown to them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/board_calibration/board_pictures.h"
#include "core/calibrate/clip_offsets.h"
#include "core/project/project.h"

namespace vantage {

struct ProjectBoards {
  Board board;
  // By camera: a video, a folder of pictures or a pattern that shows the board; empty: the camera's own
  // video, by its offset. The others are in step, unless out_of_step.
  std::vector<std::string> pictures;
  bool solve_lens = true;  // otherwise the project's lenses are held; a camera without one is solved
  std::optional<LensModel> model = {};  // of the lenses solved; nothing: as the project has them
  bool still = false;                   // board and cameras rest
  // The clips, own videos too, are out of step by what is solved with the board (clip_offsets.h); all their
  // pictures are looked at. Not together with `still`.
  bool out_of_step = false;
  double board_above_floor_m = 0;  // of the printed side, at the world's instant
};

struct SolvedProjectBoards {
  BoardsSolution solution;         // cameras in the project's order, by its names
  std::vector<FoundBoards> found;  // by camera
  std::vector<ClipTiming> clips;   // by camera; only where they were out of step
};

// `progress` counts frames of all cameras, then what OutOfStepOptions counts. Errors: those of find_boards(),
// solve_boards() and solve_out_of_step(); invalid_argument for live cameras without pictures; bad_data where
// the pictures have another size than the camera's video or held lens.
Result<SolvedProjectBoards> solve_project_boards(
    const Project& project, const ProjectBoards& boards,
    const std::function<void(int64_t done, int64_t total)>& progress, const StopSource& stop);
// The same from views that are there already, one entry a camera of the project: picked up from live cameras
// (board_collector.h). `known` counts only out of step. Errors: those of solve_boards(); bad_data for a
// camera without a view, or with pictures of another size than its held lens.
Result<SolvedProjectBoards> solve_found_boards(const Project& project, const ProjectBoards& boards,
                                               std::vector<FoundBoards> found,
                                               const OutOfStepOptions& known = {});

}  // namespace vantage
