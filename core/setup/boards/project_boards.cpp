#include "core/setup/boards/project_boards.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <utility>

#include "core/base/parallel_each.h"
#include "core/calibration/formats/board_files.h"
#include "core/calibration/solve/board.h"
#include "core/video/live/live_address.h"

namespace vantage {
namespace {

struct CameraPictures : BoardPictures {
  int64_t first_instant = 0;  // of the frame `begin`
};

// Matches clips without offsets.
Status match_in_step(bool out_of_step, const StopSource& stop, std::vector<CameraPictures>* pictures) {
  std::vector<BoardPictures*> clips;
  for (CameraPictures& one : *pictures) {
    if (one.still || one.begin != 0 || one.first_instant != 0) return {};
    clips.push_back(&one);
  }
  const auto matched = match_pictures(clips, out_of_step, stop);
  return matched ? Status{} : fail(matched.error());
}

// Own videos begin at the first frame of the base that all of them have.
Result<std::vector<CameraPictures>> pictures_of(const Project& project, const ProjectBoards& boards,
                                                const StopSource& stop) {
  std::vector<CameraPictures> pictures;
  double lowest = 0;
  for (const ProjectCamera& camera : project.cameras) lowest = std::min(lowest, camera.offset_frames);
  const auto first_base_frame = static_cast<int64_t>(std::ceil(-lowest));
  for (const ProjectCamera& camera : project.cameras) {
    CameraPictures one;
    one.path = camera.board_pictures;
    one.still = boards.still;
    if (one.path.empty()) {
      if (is_live_address(camera.video))
        return fail(ErrorKind::invalid_argument, "a live camera has no frames to search for a board",
                    camera.name, "Record while the board is shown, and give the recording.");
      one.path = camera.video;
      if (!boards.out_of_step) {
        one.begin = first_base_frame + std::llround(camera.offset_frames);
        one.first_instant = first_base_frame;
      }
    }
    pictures.push_back(std::move(one));
  }
  VANTAGE_TRY(match_in_step(boards.out_of_step, stop, &pictures));
  if (boards.out_of_step) {  // every frame
    VANTAGE_TRY(common_rate({pictures.begin(), pictures.end()}));
    return pictures;
  }
  VANTAGE_ASSIGN(const int64_t step, common_step({pictures.begin(), pictures.end()}, stop));
  for (CameraPictures& one : pictures) one.every = step;
  for (const std::string& path : boards.hand_held) {
    CameraPictures one;
    one.path = path;
    VANTAGE_ASSIGN(one.every, hand_held_step(one, stop));
    pictures.push_back(std::move(one));
  }
  return pictures;
}

// Progress of all cameras together, from any of their threads.
class SharedProgress {
 public:
  SharedProgress(size_t cameras, const std::function<void(int64_t, int64_t)>& tell)
      : done_(cameras), totals_(cameras), tell_(tell) {}
  void update(size_t camera, int64_t done, int64_t total) {
    const std::lock_guard lock(mutex_);
    done_[camera] = done, totals_[camera] = total;
    int64_t all_done = 0, all = 0, begun = 0;
    for (size_t i = 0; i < done_.size(); ++i)
      if (totals_[i] > 0) all_done += std::min(done_[i], totals_[i]), all += totals_[i], ++begun;
    if (begun == 0) return tell_(0, 0);
    // A camera that has not begun counts as the others do; no length sets the share back that was reported.
    all = all * static_cast<int64_t>(done_.size()) / begun;
    share_ = std::max(share_, static_cast<double>(all_done) / static_cast<double>(all));
    tell_(static_cast<int64_t>(share_ * static_cast<double>(all)), all);
  }

 private:
  std::mutex mutex_;
  std::vector<int64_t> done_, totals_;
  double share_ = 0;
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

BoardCamera hand_held_camera(std::string name, const ProjectBoards& boards, const FoundBoards& found) {
  BoardCamera camera{.name = std::move(name), .given = {}};
  camera.width_px = found.width_px, camera.height_px = found.height_px;
  camera.model = boards.model, camera.hand_held = true;
  return camera;
}

Status check_project_boards(const ProjectBoards& boards) {
  VANTAGE_TRY(check_boards(boards.boards));
  if (boards.boards.size() == 1 && !boards.hand_held.empty())
    return fail(ErrorKind::invalid_argument, "a hand-held camera links boards, but there is only one",
                boards.hand_held[0], "Give two boards or more.");
  if (boards.out_of_step && boards.boards.size() > 1)
    return fail(ErrorKind::unsupported, "offsets of clips are solved with exactly one board", "boards",
                "Solve the offsets with one of the boards first.");
  return {};
}

std::string sought_text(const std::vector<Board>& boards) {
  return boards.size() == 1 ? board_text(boards[0]) : fmt::format("of the {} boards", boards.size());
}

}  // namespace

std::vector<std::string> hand_held_names(const Project& project, const ProjectBoards& boards) {
  std::vector<std::string> names;
  const auto taken = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end() ||
           std::any_of(project.cameras.begin(), project.cameras.end(),
                       [&](const ProjectCamera& camera) { return camera.name == name; });
  };
  for (const std::string& path : boards.hand_held) {
    std::filesystem::path file = path;
    if (!file.has_filename()) file = file.parent_path();  // a folder's closing slash
    const std::string stem = file.has_stem() ? file.stem().string() : "hand-held";
    std::string name = stem;
    for (int number = 2; taken(name); ++number) name = fmt::format("{} ({})", stem, number);
    names.push_back(name);
  }
  return names;
}

Result<std::vector<FoundBoards>> find_project_boards(
    const Project& project, const ProjectBoards& boards,
    const std::function<void(int64_t done, int64_t total)>& progress, const StopSource& stop) {
  VANTAGE_TRY(check_project_boards(boards));
  VANTAGE_ASSIGN(const std::vector<CameraPictures> pictures, pictures_of(project, boards, stop));
  if (boards.boards.size() == 1) {
    const std::vector<BoardPictures> looked_at(pictures.begin(), pictures.end());
    VANTAGE_ASSIGN(const std::optional<Board> shown, board_shown(looked_at, boards.boards[0], stop));
    if (shown)
      return fail(ErrorKind::bad_data, shown_text(*shown, boards.boards[0]), project.path.string(),
                  "State the board that is shown, and search again.");
  }
  SharedProgress shared(pictures.size(), progress);
  std::vector<Result<FoundBoards>> results(pictures.size(), FoundBoards());
  parallel_each(pictures.size(), [&](size_t c) {
    results[c] = find_boards(
        pictures[c], static_cast<int>(c), boards.boards,
        [&shared, c](int64_t done, int64_t total) { shared.update(c, done, total); }, stop);
  });
  const std::vector<std::string> held = hand_held_names(project, boards);
  std::vector<FoundBoards> found;
  for (size_t c = 0; c < pictures.size(); ++c) {
    VANTAGE_ASSIGN(FoundBoards one, std::move(results[c]));
    const size_t fixed = project.cameras.size();
    if (one.views.empty())
      return fail(ErrorKind::bad_data,
                  fmt::format("{} {} was found in {} pictures", boards.boards.size() == 1 ? "no" : "none",
                              sought_text(boards.boards), one.pictures),
                  (c < fixed ? project.cameras[c].name : held[c - fixed]) + ", " + pictures[c].path,
                  board_advice(boards.boards[0]));
    if (!pictures[c].still)
      for (BoardView& view : one.views) view.instant += pictures[c].first_instant - pictures[c].begin;
    found.push_back(std::move(one));
  }
  return found;
}

std::vector<BoardSightings> sightings_of(const Project& project, const ProjectBoards& boards,
                                         const std::vector<FoundBoards>& found) {
  std::vector<BoardSightings> sightings(boards.boards.size());
  std::vector<std::string> names;
  for (const ProjectCamera& camera : project.cameras) names.push_back(camera.name);
  for (std::string& name : hand_held_names(project, boards)) names.push_back(std::move(name));
  for (size_t c = 0; c < std::min(found.size(), names.size()); ++c)
    for (const BoardView& view : found[c].views) {
      BoardSightings& board = sightings[view.board];
      ++board.views;
      if (board.cameras.empty() || board.cameras.back() != names[c]) board.cameras.push_back(names[c]);
    }
  return sightings;
}

Result<SolvedProjectBoards> solve_found_boards(const Project& project, const ProjectBoards& boards,
                                               std::vector<FoundBoards> found,
                                               const OutOfStepOptions& known) {
  VANTAGE_TRY(check_project_boards(boards));
  BoardsInput input{.boards = boards.boards, .cameras = {}, .views = {}, .lens_views = {}};
  const std::vector<std::string> held = hand_held_names(project, boards);
  const size_t fixed = project.cameras.size();
  for (size_t c = 0; c < fixed + held.size(); ++c) {
    const std::string& name = c < fixed ? project.cameras[c].name : held[c - fixed];
    if (c >= found.size() || found[c].views.empty())
      return fail(ErrorKind::bad_data, "no view of the board was picked up", name,
                  "Show the board to this camera, too, and hold it still.");
    if (c < fixed) {
      VANTAGE_ASSIGN(BoardCamera camera, board_camera(project.cameras[c], boards, found[c]));
      input.cameras.push_back(std::move(camera));
    } else {
      input.cameras.push_back(hand_held_camera(name, boards, found[c]));
    }
    input.views.insert(input.views.end(), found[c].views.begin(), found[c].views.end());
  }
  SolvedProjectBoards solved{.solution = {}, .found = std::move(found), .clips = {}};
  const BoardsOptions options{.half_turned = {},
                              .board_above_floor_m = boards.board_above_floor_m,
                              .cross_validate = true,
                              .stop = known.stop};
  if (boards.out_of_step) {
    VANTAGE_ASSIGN(OutOfStepSolution timed, solve_out_of_step(input, options, known));
    solved.solution = std::move(timed.solution), solved.clips = std::move(timed.clips);
  } else {
    VANTAGE_ASSIGN(solved.solution, solve_boards(input, options));
  }
  return solved;
}

Result<SolvedProjectBoards> solve_project_boards(
    const Project& project, const ProjectBoards& boards,
    const std::function<void(int64_t done, int64_t total)>& progress, const StopSource& stop) {
  VANTAGE_ASSIGN(std::vector<FoundBoards> found, find_project_boards(project, boards, progress, stop));
  return solve_found_boards(project, boards, std::move(found), {.progress = progress, .stop = stop});
}

namespace {

Result<Board> board_of_caliscope(const std::filesystem::path& path) {
  VANTAGE_ASSIGN(const CaliscopeBoard read, read_caliscope_board(path));
  Board board{read.columns - 1, read.rows - 1, read.square_m};
  board.markers = {read.dictionary, read.marker_m};
  return board;
}

Result<Board> board_of_kalibr(const std::filesystem::path& path) {
  VANTAGE_ASSIGN(const KalibrTarget target, read_kalibr_target(path));
  return target.tags
             ? grid_of_tags(target.columns, target.rows, {"DICT_APRILTAG_36h11", target.side_m, target.gap_m})
             : Board{target.columns, target.rows, target.side_m};
}

}  // namespace

Result<Board> read_board(const std::filesystem::path& path) {
  const Result<Board> board = path.extension() == ".toml" ? board_of_caliscope(path) : board_of_kalibr(path);
  if (board) VANTAGE_TRY(check_board(*board));
  return board;
}

std::string board_options_text(const Board& board, int count) {
  const std::string alike = count > 1 ? fmt::format(" --boards {}", count) : std::string();
  if (board.tags) {
    const BoardTags& tags = *board.tags;
    std::string text =
        fmt::format("--columns {} --rows {} --tags {} --tag {:.7g} --tag-gap {:.7g}", board.columns / 2,
                    board.rows / 2, tags.dictionary, tags.side_m, tags.gap_m);
    if (tags.first_id != 0) text += fmt::format(" --first-tag {}", tags.first_id);
    return text + alike;
  }
  std::string text =
      fmt::format("--columns {} --rows {} --square {:.7g}", board.columns, board.rows, board.square_m);
  if (board.markers)
    text += fmt::format(" --markers {} --marker {:.7g}", board.markers->dictionary, board.markers->side_m);
  if (board.first_id() != 0) text += fmt::format(" --first-marker {}", board.first_id());
  return text + alike;
}

}  // namespace vantage
