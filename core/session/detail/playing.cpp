#include "core/session/detail/playing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace vantage {
namespace {

constexpr int64_t kMaxLag_ns = 500'000'000;  // a longer lag restarts the clock

}  // namespace

void Playing::play() {
  if (on_) return;
  if (rate_ > 0 && state_.frame >= state_.last_frame()) state_.frame = 0;
  on_ = true;
  state_.report_status();
}

void Playing::pause() {
  if (on_) stop();
}

void Playing::stop() {
  on_ = false;
  analysed_fps_ = 0;
  showing_.want();  // a frame played as pictures is shown in full
  state_.report_status();
}

void Playing::set_rate(double rate) {
  if (rate != 0 && std::isfinite(rate)) rate_ = rate;
}

void Playing::describe(SessionStatus& status) {
  status.playing = on_;
  status.analysed_fps = analysed_fps_;
}

bool Playing::work() {
  if (!on_) return false;
  if (analysing_ && rate_ > 0)
    play_analysing();
  else
    play_pictures();
  return true;
}

// False if a command arrives before.
bool Playing::wait_until(int64_t time_ns) {
  return !state_.commands.wait_for_one(
      std::chrono::nanoseconds(std::max<int64_t>(time_ns - trace_now_ns(), 0)));
}

// Late pictures are skipped. Returns at every command; the clock then restarts.
void Playing::play_pictures() {
  const double per_second = state_.frame_rate() * rate_;
  const int64_t start_ns = trace_now_ns(), start_frame = state_.frame;
  while (true) {
    const double seconds = static_cast<double>(trace_now_ns() - start_ns) * 1e-9;
    int64_t target = start_frame + static_cast<int64_t>(seconds * per_second);
    if (target == state_.frame) target += per_second > 0 ? 1 : -1;
    const double due_s = static_cast<double>(target - start_frame) / per_second;
    if (!wait_until(start_ns + static_cast<int64_t>(due_s * 1e9))) return;
    const int64_t frame = std::clamp<int64_t>(target, 0, state_.last_frame());
    const StopSource stopped = state_.commands.begin(Work::showing);
    Result<FrameResultRef> result = state_.analysis->pictures(frame, stopped);
    state_.commands.end();
    const bool at_end = frame != target || (!result && result.error().kind == ErrorKind::end_of_stream);
    if (result) {
      state_.frame = frame;
      showing_.note_shown();
      results_.note(**result);
      results_.show(std::move(*result));
    } else if (!at_end && result.error().kind != ErrorKind::cancelled) {
      state_.report_error(result.error());
    }
    if (at_end || !result) return stop();
    state_.report_status_in_turn();
  }
}

// Every frame goes through the chain; playing slows down with it.
void Playing::play_analysing() {
  const double frame_ns = 1e9 / (state_.frame_rate() * rate_);
  const int64_t first = state_.frame;
  int64_t clock_ns = trace_now_ns(), clock_frame = first;
  const int64_t start_ns = clock_ns;
  const StopSource stopped = state_.commands.begin(Work::playing);
  const Status played = state_.run.analyse(
      {first, state_.last_frame() + 1}, ExecutionMode::threaded, stopped, [&](const FrameResultRef& result) {
        const int64_t due_ns =
            clock_ns + static_cast<int64_t>(static_cast<double>(result->frame - clock_frame) * frame_ns);
        if (trace_now_ns() - due_ns > kMaxLag_ns) clock_ns = trace_now_ns(), clock_frame = result->frame;
        state_.frame = result->frame;
        const int64_t done = state_.frame - first + 1;
        analysed_fps_ = static_cast<double>(done) * 1e9 / static_cast<double>(trace_now_ns() - start_ns + 1);
        showing_.note_shown();
        results_.note(*result);
        results_.show(result);
        state_.report_status_in_turn();
        results_.report_in_turn();
        return wait_until(due_ns + static_cast<int64_t>(frame_ns)) && !stopped.stop_requested();
      });
  state_.commands.end();
  results_.report();
  if (stopped.stop_requested()) return;  // a command came; playing continues after it
  if (!played) state_.report_error(played.error());
  stop();
}

namespace {

constexpr int64_t kQuickReplayFrames = 10;  // more of them show a preview first
constexpr int64_t kRefineFrames = 2000;     // farther ones wait for an analysis

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

// People of the results are drawn with the first pictures; computed artifacts follow.
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

// The number of frames was an estimate: shows the last existing frame instead.
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
    refine_wanted_ = true;  // the frames replayed so far are kept in checkpoints
  else
    state_.report_error(result.error());
  return true;
}

void Showing::deliver(FrameResultRef result) {
  if (results_.note(*result)) results_.report();
  results_.show(std::move(result));
}

}  // namespace vantage
