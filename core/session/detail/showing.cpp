#include "core/session/detail/showing.h"

#include <algorithm>
#include <utility>

namespace vantage {
namespace {

constexpr int64_t kQuickReplayFrames = 10;  // before a preview is shown instead
constexpr int64_t kRefineFrames = 2000;     // farther, the exact frame waits for an analysis

}  // namespace

void Showing::start() {
  state_.frame_on_screen = -1;
  shown_once_ = false;
  first_people_ = true;
}

void Showing::forget() {
  wanted_ = refine_wanted_ = false;
}

void Showing::seek(int64_t frame) {
  state_.frame = std::clamp<int64_t>(frame, 0, state_.last_frame());
  want_anew();
  state_.report_status();
}

// Whom the results tell of is drawn as soon as there are pictures; what has to be computed comes after it.
void Showing::show_recorded_people() {
  if (!state_.analysis->grid() || !results_.tells(state_.frame)) return;
  // The first exact frame of a project may have to learn its empty-scene clips, which takes seconds.
  const bool first = std::exchange(first_people_, false);
  if (!first && state_.analysis->pipeline().replay_frames(state_.frame) <= kQuickReplayFrames) return;
  show_pictures();
}

void Showing::show_pictures_meanwhile() {
  if (wanted_ && state_.frame_on_screen != state_.frame) show_pictures();
}

void Showing::show_pictures() {
  const StopSource stop = state_.commands.begin(Work::showing);
  Result<FrameResultRef> pictures = state_.analysis->pictures(state_.frame, stop);
  state_.commands.end();
  if (pictures) results_.show(std::move(*pictures));
}

Result<FrameResultRef> Showing::compute() {
  const StopSource stop = state_.commands.begin(Work::showing);
  Result<FrameResultRef> result;
  if (!shown_once_) {
    // Learning an empty-scene clip takes seconds; the first pictures do not wait for it.
    result = state_.analysis->pictures(state_.frame, stop);
    wanted_ = result.has_value();
  } else {
    FrameEffort effort;
    effort.allow_preview = true;
    effort.max_replay_frames = kQuickReplayFrames;
    result = state_.analysis->pipeline().frame(state_.frame, effort, stop);
  }
  state_.commands.end();
  return result;
}

bool Showing::show_wanted() {
  if (!std::exchange(wanted_, false)) return false;
  if (shown_once_) show_recorded_people();
  Result<FrameResultRef> result = compute();
  if (result) {
    shown_once_ = true;
    refine_wanted_ =
        (*result)->preview && state_.analysis->pipeline().replay_frames(state_.frame) <= kRefineFrames;
    deliver(std::move(*result));
    state_.report_status();
  } else if (result.error().kind == ErrorKind::end_of_stream) {
    show_last_frame();
    if (!wanted_) state_.report_error(result.error());
  } else if (result.error().kind != ErrorKind::cancelled) {
    state_.report_error(result.error());
  }
  return true;
}

// The count was an estimate: the last frame there is comes instead.
void Showing::show_last_frame() {
  const StopSource stop = state_.commands.begin(Work::showing);
  const Result<int64_t> count = state_.analysis->source().wait_for_frame_count(stop);
  state_.commands.end();
  if (count && *count > 0 && state_.frame >= *count) seek(*count - 1);
}

bool Showing::refine_wanted() {
  if (!std::exchange(refine_wanted_, false)) return false;
  const StopSource stop = state_.commands.begin(Work::refining);
  Result<FrameResultRef> result = state_.analysis->pipeline().frame(state_.frame, {}, stop);
  state_.commands.end();
  if (result)
    deliver(std::move(*result));
  else if (result.error().kind == ErrorKind::cancelled)
    refine_wanted_ = true;  // what was replayed so far is kept in checkpoints
  else
    state_.report_error(result.error());
  return true;
}

void Showing::deliver(FrameResultRef result) {
  if (results_.note(*result)) results_.report();
  results_.show(std::move(result));
}

}  // namespace vantage
