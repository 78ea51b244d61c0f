// The session's thread: one frame, and playing.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/session/detail/session_worker.h"

namespace vantage {
namespace {

constexpr int64_t kQuickReplayFrames = 10;       // before a preview is shown instead
constexpr int64_t kRefineFrames = 2000;          // farther, the exact frame waits for an analysis
constexpr int64_t kLongestLag_ns = 500'000'000;  // behind which playing starts its clock again

}  // namespace

// ---- one frame

void SessionWorker::seek(int64_t frame) {
  if (!analysis_) return;
  if (live_) return look_back(frame);
  frame_ = std::clamp<int64_t>(frame, 0, last_frame());
  show_wanted_ = true;
  refine_wanted_ = false;
  report_status();
}

// Whom the results tell of is drawn as soon as there are pictures; what has to be computed comes after it.
void SessionWorker::show_recorded_people() {
  if (!analysis_->grid() || !tracks_.tells(frame_, current_tracks())) return;
  // The first exact frame of a project may have to learn its empty-scene clips, which takes seconds.
  const bool first = std::exchange(first_people_, false);
  if (!first && analysis_->pipeline().replay_frames(frame_) <= kQuickReplayFrames) return;
  const StopSource stop = commands_.begin(Work::showing);
  Result<FrameResultRef> pictures = analysis_->pictures(frame_, stop);
  commands_.end();
  if (pictures) hand_over(std::move(*pictures));
}

// The exact frame where that is quick, else a preview with the exact one to follow.
void SessionWorker::show() {
  show_wanted_ = false;
  if (shown_once_) show_recorded_people();
  const StopSource stop = commands_.begin(Work::showing);
  Result<FrameResultRef> result;
  if (!shown_once_) {
    // Learning an empty-scene clip takes seconds; the first pictures do not wait for it.
    result = analysis_->pictures(frame_, stop);
    show_wanted_ = result.has_value();
  } else {
    FrameEffort effort;
    effort.allow_preview = true;
    effort.max_replay_frames = kQuickReplayFrames;
    result = analysis_->pipeline().frame(frame_, effort, stop);
  }
  commands_.end();
  if (result) {
    shown_once_ = true;
    refine_wanted_ = (*result)->preview && analysis_->pipeline().replay_frames(frame_) <= kRefineFrames;
    deliver(std::move(*result));
    return report_status();
  }
  if (result.error().kind == ErrorKind::cancelled) return;
  // The count was an estimate: the last frame there is comes instead.
  if (result.error().kind == ErrorKind::end_of_stream) {
    const StopSource wait = commands_.begin(Work::showing);
    const Result<int64_t> count = analysis_->source().wait_for_frame_count(wait);
    commands_.end();
    if (count && *count > 0 && frame_ >= *count) return seek(*count - 1);
  }
  report_error(result.error());
}

void SessionWorker::refine() {
  refine_wanted_ = false;
  const StopSource stop = commands_.begin(Work::refining);
  Result<FrameResultRef> result = analysis_->pipeline().frame(frame_, {}, stop);
  commands_.end();
  if (result) return deliver(std::move(*result));
  if (result.error().kind == ErrorKind::cancelled)
    refine_wanted_ = true;  // what was replayed so far is kept in checkpoints
  else
    report_error(result.error());
}

// ---- playing

void SessionWorker::on(const command::Play&) {
  if (live_) return follow(true);
  if (!analysis_ || status_.playing) return;
  if (rate_ > 0 && frame_ >= last_frame()) frame_ = 0;
  status_.playing = true;
  report_status();
}

void SessionWorker::on(const command::Pause&) {
  if (live_) return follow(false);
  if (status_.playing) stop_playing();
}

void SessionWorker::stop_playing() {
  status_.playing = false;
  status_.analysed_fps = 0;
  show_wanted_ = true;  // what was played as pictures is shown in full
  report_status();
}

void SessionWorker::on(const command::SetPlaybackRate& set) {
  if (set.rate != 0 && std::isfinite(set.rate)) rate_ = set.rate;
}

// False when a command is waiting by then.
bool SessionWorker::wait_until(int64_t time_ns) {
  return !commands_.wait_for_one(std::chrono::nanoseconds(std::max<int64_t>(time_ns - trace_now_ns(), 0)));
}

// Pictures by the clock; the ones that are late are left out. Returns for every command; the clock then
// starts again.
void SessionWorker::play_pictures() {
  const double per_second = frame_rate() * rate_;
  const int64_t start_ns = trace_now_ns(), start_frame = frame_;
  while (true) {
    const double seconds = static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
    int64_t target = start_frame + static_cast<int64_t>(seconds * per_second);
    if (target == frame_) target += per_second > 0 ? 1 : -1;
    const double due_s = static_cast<double>(target - start_frame) / per_second;
    if (!wait_until(start_ns + static_cast<int64_t>(due_s * 1e9))) return;
    const int64_t frame = std::clamp<int64_t>(target, 0, last_frame());
    const StopSource stop = commands_.begin(Work::showing);
    Result<FrameResultRef> result = analysis_->pictures(frame, stop);
    commands_.end();
    const bool at_end = frame != target || (!result && result.error().kind == ErrorKind::end_of_stream);
    if (result) {
      frame_ = frame;
      shown_once_ = true;
      deliver(std::move(*result));
    } else if (!at_end) {
      if (result.error().kind != ErrorKind::cancelled) report_error(result.error());
    }
    if (at_end || !result) return stop_playing();
    if (due(&last_status_ns_, kStatusInterval_ns)) report_status();
  }
}

// Every frame goes through the chain; where the chain is slower than the clock, playing is slower too.
void SessionWorker::play_analysing() {
  const double frame_ns = 1e9 / (frame_rate() * rate_);
  const int64_t first = frame_;
  int64_t clock_ns = trace_now_ns(), clock_frame = first;
  const int64_t start_ns = clock_ns;
  const StopSource stop = commands_.begin(Work::playing);
  const Status played = run_.analyse(
      {first, last_frame() + 1}, ExecutionMode::threaded, stop, [&](const FrameResultRef& result) {
        const int64_t due_ns =
            clock_ns + static_cast<int64_t>(static_cast<double>(result->frame - clock_frame) * frame_ns);
        if (trace_now_ns() - due_ns > kLongestLag_ns) clock_ns = trace_now_ns(), clock_frame = result->frame;
        frame_ = result->frame;
        const int64_t done = frame_ - first + 1;
        status_.analysed_fps =
            static_cast<double>(done) * 1e9 / static_cast<double>(trace_now_ns() - start_ns + 1);
        shown_once_ = true;
        deliver(result);
        if (due(&last_status_ns_, kStatusInterval_ns)) report_status();
        if (due(&last_results_ns_, kStatusInterval_ns)) report_results();
        return wait_until(due_ns + static_cast<int64_t>(frame_ns)) && !stop.stop_requested();
      });
  commands_.end();
  report_results();
  if (stop.stop_requested()) return;  // a command came; playing goes on after it
  if (!played) report_error(played.error());
  stop_playing();
}

}  // namespace vantage
