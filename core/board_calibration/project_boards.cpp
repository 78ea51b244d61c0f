#include "core/board_calibration/project_boards.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "core/base/formatted.h"
#include "core/base/parallel_each.h"
#include "core/video/live/live_address.h"

namespace vantage {
namespace {

struct CameraPictures : BoardPictures {
  int64_t first_instant = 0;  // of the frame `begin`
};

// Own videos begin at the first frame of the base that all of them have.
Result<std::vector<CameraPictures>> pictures_of(const Project& project, const ProjectBoards& boards,
                                                const StopSource& stop) {
  std::vector<CameraPictures> pictures;
  double lowest = 0;
  for (const ProjectCamera& camera : project.cameras) lowest = std::min(lowest, camera.offset_frames);
  const auto first_base_frame = static_cast<int64_t>(std::ceil(-lowest));
  for (size_t c = 0; c < project.cameras.size(); ++c) {
    const ProjectCamera& camera = project.cameras[c];
    CameraPictures one;
    if (c < boards.pictures.size()) one.path = boards.pictures[c];
    one.still = boards.still;
    if (one.path.empty()) {
      if (is_live_address(camera.video))
        return fail(ErrorKind::invalid_argument, "a live camera has no frames to look for a board in",
                    camera.name, "Record while the board is shown, and give the recording.");
      one.path = camera.video;
      if (!boards.out_of_step) {
        one.begin = first_base_frame + std::llround(camera.offset_frames);
        one.first_instant = first_base_frame;
      }
    }
    pictures.push_back(std::move(one));
  }
  if (boards.out_of_step) {  // every frame
    VANTAGE_TRY(common_rate({pictures.begin(), pictures.end()}));
    return pictures;
  }
  VANTAGE_ASSIGN(const int64_t step, common_step({pictures.begin(), pictures.end()}, stop));
  for (CameraPictures& one : pictures) one.every = step;
  return pictures;
}

// Of all cameras together, from any of their threads.
class SharedProgress {
 public:
  SharedProgress(size_t cameras, const std::function<void(int64_t, int64_t)>& tell)
      : done_(cameras), totals_(cameras), tell_(tell) {}
  void update(size_t camera, int64_t done, int64_t total) {
    const std::lock_guard lock(mutex_);
    done_[camera] = done, totals_[camera] = std::max(total, done);
    int64_t all_done = 0, all = 0;
    for (size_t i = 0; i < done_.size(); ++i) all_done += done_[i], all += totals_[i];
    tell_(all_done, all);
  }

 private:
  std::mutex mutex_;
  std::vector<int64_t> done_, totals_;
  const std::function<void(int64_t, int64_t)>& tell_;
};

Result<BoardCamera> board_camera(const ProjectCamera& camera, const ProjectBoards& boards,
                                 const FoundBoards& found) {
  BoardCamera solved{.name = camera.name, .given = camera.calibration};
  solved.width_px = found.width_px, solved.height_px = found.height_px;
  if (!camera.calibration) {
    solved.model = boards.model;
    return solved;
  }
  VANTAGE_TRY(check_calibration_size(*camera.calibration, camera.name, found.width_px, found.height_px));
  solved.given_pose = true;
  solved.solve_lens = boards.solve_lens;
  if (boards.solve_lens) solved.model = boards.model;
  return solved;
}

}  // namespace

Result<SolvedProjectBoards> solve_project_boards(
    const Project& project, const ProjectBoards& boards,
    const std::function<void(int64_t done, int64_t total)>& progress, const StopSource& stop) {
  VANTAGE_TRY(check_board(boards.board));
  VANTAGE_ASSIGN(const std::vector<CameraPictures> pictures, pictures_of(project, boards, stop));
  SharedProgress shared(pictures.size(), progress);
  std::vector<Result<FoundBoards>> results(pictures.size(), FoundBoards());
  parallel_each(pictures.size(), [&](size_t c) {
    results[c] = find_boards(
        pictures[c], static_cast<int>(c), {&boards.board, 1},
        [&shared, c](int64_t done, int64_t total) { shared.update(c, done, total); }, stop);
  });
  std::vector<FoundBoards> found;
  for (size_t c = 0; c < pictures.size(); ++c) {
    VANTAGE_ASSIGN(FoundBoards one, std::move(results[c]));
    if (one.views.empty())
      return fail(ErrorKind::bad_data,
                  formatted("no %s was found in %d pictures", board_text(boards.board).c_str(), one.pictures),
                  project.cameras[c].name + ", " + pictures[c].path, board_advice(boards.board));
    if (!boards.still)
      for (BoardView& view : one.views) view.instant += pictures[c].first_instant - pictures[c].begin;
    found.push_back(std::move(one));
  }
  return solve_found_boards(project, boards, std::move(found), {.progress = progress, .stop = stop});
}

Result<SolvedProjectBoards> solve_found_boards(const Project& project, const ProjectBoards& boards,
                                               std::vector<FoundBoards> found,
                                               const OutOfStepOptions& known) {
  BoardsInput input{.boards = {boards.board}, .cameras = {}, .views = {}, .lens_views = {}};
  for (size_t c = 0; c < project.cameras.size(); ++c) {
    const std::string& name = project.cameras[c].name;
    if (c >= found.size() || found[c].views.empty())
      return fail(ErrorKind::bad_data, "no view of the board was picked up", name,
                  "Show the board to this camera, too, and hold it still.");
    VANTAGE_ASSIGN(BoardCamera camera, board_camera(project.cameras[c], boards, found[c]));
    input.cameras.push_back(std::move(camera));
    input.views.insert(input.views.end(), found[c].views.begin(), found[c].views.end());
  }
  SolvedProjectBoards solved{.solution = {}, .found = std::move(found), .clips = {}};
  const BoardsOptions options{
      .half_turned = {}, .board_above_floor_m = boards.board_above_floor_m, .cross_validate = true};
  if (boards.out_of_step) {
    VANTAGE_ASSIGN(OutOfStepSolution timed, solve_out_of_step(input, options, known));
    solved.solution = std::move(timed.solution), solved.clips = std::move(timed.clips);
  } else {
    VANTAGE_ASSIGN(solved.solution, solve_boards(input, options));
  }
  return solved;
}

}  // namespace vantage
