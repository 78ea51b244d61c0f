// The past of live cameras, examined while they continue.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/live/recording_writer.h"
#include "core/session/detail/following_live.h"

namespace vantage {
namespace {

constexpr double kMaxWait_s = 0.2;  // for a set, before the cameras' state is reported again
constexpr double kMinWait_s = 0.001;

bool empty(const FrameRange& range) {
  return range.begin >= range.end;
}

FrameRange range_of(const RecordingState& state) {
  if (state.first_frame < 0 || state.last_frame < state.first_frame) return {};
  return {state.first_frame, state.last_frame + 1};
}

FrameRange joined(const FrameRange& a, const FrameRange& b) {
  if (empty(a)) return b;
  if (empty(b)) return a;
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

}  // namespace

// The cameras continue without a past.
void FollowingLive::keep_past() {
  playback_.close();
  if (const Status kept = state_.run.keep_past(); !kept) past_problem_ = kept.error().message();
}

// The past kept until the disk was full can be examined until there is space again.
void FollowingLive::renew_past() {
  const bool kept = state_.run.past() && state_.run.past()->state().recording;
  if (!kept && Past::has_space(state_.project)) keep_past();
}

void FollowingLive::prepare_recordings() {
  state_.run.prepare_recordings();
}

PastStatus FollowingLive::past_status() const {
  const auto limits = state_.project.parameters.get<RecordingParameters>();
  PastStatus past{
      .kept = {}, .limit_s = limits.past_min * 60, .limit_bytes = std::llround(limits.past_gb * 1e9)};
  if (state_.run.past())
    past.kept = state_.run.past()->state();
  else
    past.kept.problem = past_problem_;
  return past;
}

FrameRange FollowingLive::kept() const {
  const FrameRange past = state_.run.past() ? range_of(state_.run.past()->state()) : FrameRange{};
  return state_.run.recorder() ? joined(past, range_of(state_.run.recorder()->state())) : past;
}

// A recording may go back farther than the past.
const Project& FollowingLive::kept_project(int64_t frame) const {
  if (!state_.run.past()) return state_.run.recorder()->project();
  const FrameRange past = range_of(state_.run.past()->state());
  const bool in_past = frame >= past.begin && frame < past.end;
  return in_past || !state_.run.recorder() ? state_.run.past()->project() : state_.run.recorder()->project();
}

void FollowingLive::pause() {
  following_ = false;
  clock_.reset();
  state_.report_status();
}

void FollowingLive::play() {
  if (following_ || failed_ || empty(kept())) return follow();
  restart_clock();
  state_.report_status();
}

void FollowingLive::set_rate(double rate) {
  rate_ = rate;
  if (clock_) restart_clock();
}

void FollowingLive::restart_clock() {
  clock_ = Clock{state_.frame, trace_now_ns()};
}

// Playing that catches up with the cameras switches to the present; dropped frames are skipped.
void FollowingLive::play_on() {
  const double played_s = static_cast<double>(trace_now_ns() - clock_->since_ns) * 1e-9;
  const int64_t due = clock_->frame + std::llround(played_s * rate_ * state_.frame_rate());
  const FrameRange range = kept();
  if (empty(range) || due >= range.end) return follow();
  if (due < range.begin) {
    look_back(range.begin);
    if (rate_ < 0) pause();
    return;
  }
  if (due == state_.frame) return;
  state_.frame = due;
  back_wanted_ = true;
}

double FollowingLive::wait_s() const {
  if (!clock_) return kMaxWait_s;
  const double frame_s = 1 / (std::max(1.0, std::abs(rate_)) * state_.frame_rate());
  return std::clamp(frame_s / 2, kMinWait_s, kMaxWait_s);
}

void FollowingLive::look_back(int64_t frame) {
  const FrameRange range = kept();
  if (empty(range)) return;
  state_.frame = std::clamp(frame, range.begin, range.end - 1);
  following_ = false;
  back_wanted_ = true;
  if (clock_) restart_clock();
  state_.report_status();
}

void FollowingLive::show_recorded() {
  back_wanted_ = false;
  if (empty(kept())) return;
  Result<FrameResultRef> result = playback_.frame(state_.frame, kept_project(state_.frame));
  if (!result && result.error().kind == ErrorKind::end_of_stream) {  // not yet on the disk
    back_wanted_ = !clock_;
    return;
  }
  if (!result) {
    clock_.reset();
    return state_.report_error(result.error());
  }
  note_shown(**result);
  hand_over(std::move(*result));
  clock_ ? state_.report_status_in_turn() : state_.report_status();
}

}  // namespace vantage
