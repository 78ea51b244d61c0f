#include "core/calibration/solve/clip_offsets.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "core/calibration/solve/detail/board_poses.h"
#include "core/calibration/solve/detail/board_track.h"
#include "core/calibration/solve/detail/lens_solve.h"

namespace vantage {
namespace {

// Progress of the solving of clips out of step, in parts of a thousand each: every camera's poses, every pair
// of cameras that may have to be compared, every round.
class SolvingProgress {
 public:
  using Told = std::function<void(int64_t done, int64_t total)>;

  SolvingProgress(size_t cameras, int rounds, const Told& told)
      : report_(told), cameras_(cameras), pairs_(cameras * (cameras - 1) / 2), rounds_(rounds) {}
  void poses(size_t done) const { tell(static_cast<double>(done)); }
  // `share` of the pair that comes after `before` others.
  void pair(size_t before, double share) const { tell(static_cast<double>(cameras_ + before) + share); }
  void round(int before) const { tell(static_cast<double>(cameras_ + pairs_) + before); }

 private:
  void tell(double parts) const {
    constexpr double kOfPart = 1000;
    const double total = kOfPart * (static_cast<double>(cameras_ + pairs_) + rounds_);
    if (report_) report_(static_cast<int64_t>(std::min(kOfPart * parts, total)), static_cast<int64_t>(total));
  }

  const Told& report_;
  size_t cameras_, pairs_;
  int rounds_;
};

constexpr size_t kMaxLensViews = 40;
constexpr int64_t kMaxInstants = 80;
// Pictures that a corner is taken from: instants so far apart share none. Where there are fewer instants than
// kMinInstants then, they are nearer.
constexpr int64_t kApart = 5, kMinInstants = 20;
// Clips that have nothing in common reach 2.3 and 1.3 by chance, true offsets 25 and 19 in footage without
// faults.
constexpr double kMinContrast = 4, kMinAhead = 1.5;
constexpr int kMaxRounds = 6;            // of at most two solutions
constexpr double kStill_frames = 0.002;  // a round that moves less is the last
constexpr double kMaxLastMove_frames = 0.05;
constexpr double kMaxOffsetStd_frames = 0.5;  // beyond it the board moves too little
constexpr double kMaxReadoutStd_frames = 0.3;
constexpr double kSignificant = 3;  // standard deviations

const char* const kMoveIt =
    "Carry the board about, quickly and without rhythm, where two cameras see it at once.";
const char* const kInARow = "Carry it more slowly or in better light, so that it is found in every picture.";

// Every so many of them.
std::vector<BoardView> thinned(const std::map<int64_t, BoardView>& views, size_t max) {
  std::vector<BoardView> kept;
  const size_t step = std::max<size_t>(1, (views.size() + max - 1) / max);
  size_t i = 0;
  for (const auto& [frame, view] : views)
    if (i++ % step == 0) kept.push_back(view);
  return kept;
}

class OutOfStepSolver {
 public:
  OutOfStepSolver(const BoardsInput& input, const BoardsOptions& options, const OutOfStepOptions& known)
      : input_(input),
        options_(options),
        known_(known),
        progress_(input.cameras.size(), 2 * (kMaxRounds + 1), known.progress),
        tracks_(input.cameras.size()),
        clips_(input.cameras.size()) {
    options_.stop = known.stop;
    options_.cross_validate = true;  // whether a shutter rolls is judged by deviations that halves confirm
    for (const BoardView& view : input.views) tracks_[view.camera].add(view);
  }

  Result<OutOfStepSolution> solve() {
    if (input_.boards.size() != 1)
      return fail(ErrorKind::unsupported, "clips out of step are solved by one board, not by several",
                  "boards", "Find the offsets with one of them first.");
    if (input_.boards[0].has_half_turn())
      return fail(ErrorKind::unsupported, "the board looks the same after half a turn", "board",
                  "Take a board with markers, or with an odd and an even number of corners.");
    VANTAGE_TRY(check_tracks());
    VANTAGE_TRY(take_given());
    VANTAGE_TRY(find_whole_offsets());
    VANTAGE_TRY(refine(0));
    const std::vector<ClipTiming> with_readouts = clips_;
    if (fix_readouts()) VANTAGE_TRY(refine(kMaxRounds + 1));
    // A readout that is too small to be determined, and fixed at 0, leaves the offset as open as it was.
    for (size_t c = 0; c < clips_.size(); ++c)
      clips_[c].offset_std_frames = with_readouts[c].offset_std_frames;
    return OutOfStepSolution{std::move(solution_), std::move(clips_)};
  }

 private:
  Status stopped() const {
    if (!known_.stop.stop_requested()) return {};
    return fail(ErrorKind::cancelled, "stopped", "calibration");
  }

  Status check_tracks() const {
    for (size_t c = 0; c < tracks_.size(); ++c) {
      const size_t seen = tracks_[c].views().size();
      if (seen > 0 && tracks_[c].pictures_between_others() == 0)
        return fail(
            ErrorKind::bad_data,
            fmt::format("the board was found in {} pictures, but never in three consecutive ones: its "
                        "position between pictures cannot be determined",
                        seen),
            input_.cameras[c].name, kInARow);
    }
    return {};
  }

  const GivenOffset* given(size_t c) const {
    return c < known_.offsets.size() && known_.offsets[c] ? &*known_.offsets[c] : nullptr;
  }

  Status take_given() {
    if (given(0) && given(0)->frames != 0)
      return fail(ErrorKind::invalid_argument, "offsets count from the first clip, whose own is 0",
                  input_.cameras[0].name, "Give the other clips' offsets.");
    for (size_t c = 1; c < clips_.size(); ++c)
      if (const GivenOffset* its = given(c))
        clips_[c].offset_frames = its->frames, clips_[c].held = its->held;
    return {};
  }

  Result<BoardPoses> poses_of(size_t c) const {
    VANTAGE_ASSIGN(const SolvedLens lens,
                   solve_lens(input_.boards, input_.cameras[c], lens_views_of(c), options_.k3, known_.stop));
    BoardPoses poses;
    for (const auto& [frame, view] : tracks_[c].views())
      if (const auto pose = guess_pose(input_.boards[0], view, lens.lens)) poses[frame] = *pose;
    return poses;
  }

  std::vector<BoardView> lens_views_of(size_t c) const {
    std::vector<BoardView> views = thinned(tracks_[c].views(), kMaxLensViews);
    for (const BoardView& view : input_.lens_views)
      if (view.camera == static_cast<int>(c)) views.push_back(view);
    return views;
  }

  // Starts at the first camera and those with given offsets, and continues by the clearest pair.
  Status find_whole_offsets() {
    std::set<size_t> placed = {0};
    for (size_t c = 1; c < tracks_.size(); ++c)
      if (given(c)) placed.insert(c);
    std::vector<BoardPoses> poses(tracks_.size());
    for (size_t c = 0; c < tracks_.size() && placed.size() < tracks_.size(); ++c) {
      auto its = poses_of(c);
      VANTAGE_TRY(stopped());
      VANTAGE_ASSIGN(poses[c], std::move(its));
      progress_.poses(c + 1);
    }
    std::map<std::pair<size_t, size_t>, std::optional<WholeOffset>> pairs;
    while (placed.size() < tracks_.size()) {
      std::optional<WholeOffset> best;
      size_t from = 0, to = 0;
      for (const size_t a : placed)
        for (size_t b = 0; b < tracks_.size(); ++b) {
          if (placed.contains(b)) continue;
          const auto [known, missing] = pairs.try_emplace({a, b});
          if (missing)
            known->second = whole_offset(
                input_.boards[0], poses[a], poses[b],
                [&, before = pairs.size() - 1](double share) { progress_.pair(before, share); }, known_.stop);
          VANTAGE_TRY(stopped());
          const std::optional<WholeOffset>& found = known->second;
          if (!found || found->contrast < kMinContrast || found->ahead < kMinAhead) continue;
          if (best && best->contrast >= found->contrast) continue;
          best = found, from = a, to = b;
        }
      if (!best) return no_offset(placed);
      clips_[to].offset_frames = clips_[from].offset_frames + static_cast<double>(best->frames);
      placed.insert(to);
    }
    return {};
  }

  Status no_offset(const std::set<size_t>& placed) const {
    std::string names;
    for (size_t c = 0; c < tracks_.size(); ++c)
      if (!placed.contains(c)) append_item(&names, input_.cameras[c].name);
    return fail(ErrorKind::bad_data, "the clips do not determine their offsets from the others", names,
                kMoveIt);
  }

  // Frames of the first camera at which two cameras see the board, in even steps.
  std::vector<int64_t> instants() const {
    std::map<int64_t, int> seen;
    for (size_t c = 0; c < tracks_.size(); ++c)
      for (const auto& [frame, view] : tracks_[c].views())
        ++seen[std::llround(static_cast<double>(frame) - clips_[c].offset_frames)];
    std::vector<int64_t> shared;
    for (const auto& [instant, cameras] : seen)
      if (cameras >= 2) shared.push_back(instant);
    std::vector<int64_t> kept;
    const int64_t span = shared.empty() ? 0 : shared.back() - shared.front();
    const auto nearer = static_cast<int64_t>(shared.size()) / kMinInstants;
    const int64_t apart = std::max(std::clamp<int64_t>(nearer, 1, kApart), span / kMaxInstants);
    for (const int64_t instant : shared)
      if (kept.empty() || instant - kept.back() >= apart) kept.push_back(instant);
    if (options_.world_instant && std::find(kept.begin(), kept.end(), *options_.world_instant) == kept.end())
      kept.push_back(*options_.world_instant);
    return kept;
  }

  BoardsInput in_step() const {
    BoardsInput input = input_;
    input.views.clear();
    for (const int64_t instant : instants()) {
      std::vector<BoardView> views;
      for (size_t c = 0; c < tracks_.size(); ++c)
        if (auto view = tracks_[c].at(static_cast<double>(instant) + clips_[c].offset_frames,
                                      clips_[c].readout_frames, input_.cameras[c].height_px))
          views.push_back(std::move(*view));
      // One camera's view shows nothing of the others; it counts only where it was chosen as the world.
      if (views.size() < 2 && options_.world_instant != instant) continue;
      for (BoardView& view : views) view.instant = instant, input.views.push_back(std::move(view));
    }
    for (size_t c = 0; c < input.cameras.size(); ++c)
      input.cameras[c].timing_free = {c > 0 && !clips_[c].held, !no_readout_.contains(c)};
    return input;
  }

  // In `input`, which in_step() made.
  Status check_shared(const BoardsInput& input) const {
    std::vector<size_t> views(tracks_.size());
    for (const BoardView& view : input.views) ++views[view.camera];
    for (size_t c = 0; c < tracks_.size(); ++c)
      if (views[c] == 0)
        return fail(ErrorKind::bad_data,
                    fmt::format("the board was found in {} pictures, {} of them in the middle of three "
                                "consecutive ones, but in none of these by another camera",
                                tracks_[c].views().size(), tracks_[c].pictures_between_others()),
                    input_.cameras[c].name, kInARow);
    return {};
  }

  // Corners taken at the times found so far, until these stay. `before`: rounds of an earlier time.
  Status refine(int before) {
    double moved = 0;
    for (int round = 0; round < kMaxRounds; ++round) {
      BoardsOptions options = options_;
      options.cross_validate = false;
      VANTAGE_TRY(stopped());
      progress_.round(before + round);
      const BoardsInput input = in_step();
      VANTAGE_TRY(check_shared(input));
      VANTAGE_ASSIGN(solution_, solve_boards(input, options));
      moved = 0;
      for (size_t c = 0; c < clips_.size(); ++c) moved = std::max(moved, take_timing(c));
      if (moved < kStill_frames) break;
    }
    if (moved > kMaxLastMove_frames)
      return fail(ErrorKind::bad_data,
                  fmt::format("the offsets do not converge: they still move by {:.2f} frames", moved),
                  "calibration", kMoveIt);
    VANTAGE_TRY(stopped());
    progress_.round(before + kMaxRounds);
    VANTAGE_ASSIGN(solution_, solve_boards(in_step(), options_));
    for (size_t c = 0; c < clips_.size(); ++c) take_timing(c);
    for (size_t c = 1; c < clips_.size(); ++c)
      if (clips_[c].offset_std_frames > kMaxOffsetStd_frames)
        return fail(
            ErrorKind::bad_data,
            fmt::format("the board moves too little to determine the clip's offset: {:.2f} frames +- {:.2f}",
                        clips_[c].offset_frames, clips_[c].offset_std_frames),
            input_.cameras[c].name, kMoveIt);
    return {};
  }

  double take_timing(size_t c) {
    const CameraSolution& camera = solution_.cameras[c];
    ClipTiming& clip = clips_[c];
    clip.offset_frames += camera.timing[kDelay], clip.readout_frames += camera.timing[kReadout];
    clip.offset_std_frames = camera.timing_std[kDelay];
    if (!no_readout_.contains(c)) clip.readout_std_frames = camera.timing_std[kReadout];
    return std::max(std::abs(camera.timing[kDelay]), std::abs(camera.timing[kReadout]));
  }

  // Fixes readouts that are not significant at 0. True if there were some.
  bool fix_readouts() {
    for (size_t c = 0; c < clips_.size(); ++c) {
      ClipTiming& clip = clips_[c];
      clip.readout_known = clip.readout_std_frames <= kMaxReadoutStd_frames;
      clip.rolling =
          clip.readout_known && std::abs(clip.readout_frames) > kSignificant * clip.readout_std_frames;
      if (clip.rolling) continue;
      clip.readout_frames = 0;
      no_readout_.insert(c);
    }
    return !no_readout_.empty();
  }

  const BoardsInput& input_;
  BoardsOptions options_;
  const OutOfStepOptions& known_;
  SolvingProgress progress_;
  std::vector<BoardTrack> tracks_;
  std::vector<ClipTiming> clips_;
  std::set<size_t> no_readout_;  // cameras without a readout
  BoardsSolution solution_;
};

}  // namespace

int64_t ClipTiming::own_frame(int64_t instant) const {
  return std::llround(static_cast<double>(instant) + offset_frames);
}

Result<OutOfStepSolution> solve_out_of_step(const BoardsInput& input, const BoardsOptions& options,
                                            const OutOfStepOptions& known) {
  return OutOfStepSolver(input, options, known).solve();
}

}  // namespace vantage
