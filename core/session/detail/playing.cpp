#include "core/session/detail/playing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace vantage {
namespace {

constexpr int64_t kMaxLag_ns = 500'000'000;  // behind which playing restarts its clock

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
  showing_.want();  // what was played as pictures is shown in full
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

// False when a command is waiting by then.
bool Playing::wait_until(int64_t time_ns) {
  return !state_.commands.wait_for_one(
      std::chrono::nanoseconds(std::max<int64_t>(time_ns - trace_now_ns(), 0)));
}

// Pictures that are late are left out. Returns for every command; the clock then restarts.
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

// Every frame goes through the chain; where the chain is slower than the clock, playing is slower too.
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
  if (stopped.stop_requested()) return;  // a command came; playing goes on after it
  if (!played) state_.report_error(played.error());
  stop();
}

}  // namespace vantage
