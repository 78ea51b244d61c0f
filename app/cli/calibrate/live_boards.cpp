#include "app/cli/calibrate/live_boards.h"

#include <cmath>
#include <cstdio>
#include <optional>

#include "app/cli/common/value_or_fail.h"
#include "core/base/formatted.h"
#include "core/run/live_cameras.h"
#include "core/setup/boards/board_picture_files.h"

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
    std::fprintf(stderr, "%-10s %zu pictures of %lld, %d %% of its picture covered, %d slanted%s\n",
                 camera.name.c_str(), camera.kept.views.size(), static_cast<long long>(camera.examined),
                 camera.covered_percent, camera.slanted, pairs.c_str());
  }
}

// A line whenever something was picked up or something else is to be done.
class PickingUp {
 public:
  void update(const CollectedBoards& collected) {
    if (!collected.newest_kept && (collected.next == told_ || !due())) return;
    told_ = collected.next, told_ns_ = trace_now_ns();
    std::string cameras;
    for (const CollectedCamera& camera : collected.cameras)
      cameras += formatted("  %s %zu", camera.name.c_str(), camera.kept.views.size());
    std::fprintf(stderr, "%s %lld:%s   %s\n", collected.newest_kept ? "picked up" : "so far   ",
                 static_cast<long long>(collected.sets), cameras.c_str(), collected.next.c_str());
  }

 private:
  bool due() const { return trace_now_ns() - told_ns_ >= 1'000'000'000; }

  std::string told_;
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
  std::fprintf(stderr, "to solve again: vantage-cli calibrate boards%s --every 1, with the same board\n",
               words.c_str());
}

}  // namespace

CLI::Option* add_live_boards_options(CLI::App& command, LiveBoardsOptions& options) {
  CLI::Option* live =
      command
          .add_option("--live", options.project,
                      "Pick up pictures of the board from the live cameras of this project whenever it is "
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
                  "live: write what is picked up to this folder, so that it can be solved again")
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
                    formatted("no %s was picked up in %lld pictures", board_text(board).c_str(),
                              static_cast<long long>(camera.examined)),
                    camera.name,
                    "Show the board to this camera, too, and hold it still for half a second. " +
                        board_advice(board)});
  if (files) print_repeat(*files, cameras);
  return collector.found();
}

}  // namespace vantage::cli
