#include "core/live/frame_assembler.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/base/quantile.h"

namespace vantage {
namespace {

constexpr double kGridFollowShare =
    0.05;  // share of the first camera's distance from the grid that is corrected per set
constexpr double kLargestDistance =
    0.75;                           // maximum distance of a picture from its set, in the camera's own periods
constexpr size_t kMaxWaiting = 64;  // pictures of a camera; more only come when its clock leaps

}  // namespace

FrameAssembler::FrameAssembler(AssemblerOptions options)
    : options_(std::move(options)),
      period_ns_(std::llround(1e9 / options_.rate)),
      cameras_(options_.names.size()) {}

int64_t FrameAssembler::time_of(int64_t number) const {
  return std::llround(origin_ns_ + static_cast<double>(number) * static_cast<double>(period_ns_));
}

void FrameAssembler::add(size_t index, CameraFrame frame, int64_t capture_ns, int64_t arrival_ns, double rate,
                         int64_t now_ns) {
  Camera& camera = cameras_[index];
  capture_ns -= camera.delay_ns;
  camera.here = true;
  camera.why_away.clear();
  camera.period_ns = std::llround(1e9 / rate);
  camera.last_ns = now_ns;
  if (!started_) {
    started_ = true;
    start_ns_ = capture_ns;
    origin_ns_ = static_cast<double>(capture_ns);
  }
  const bool passed = capture_ns < time_of(next_) - std::max(camera.period_ns, period_ns_) / 2;
  const bool back = !camera.waiting.empty() && capture_ns <= camera.waiting.back().capture_ns;
  if (passed || back) {
    // Pictures between two sets may not be needed.
    const bool needed = capture_ns <= time_of(next_ - 1) + camera.period_ns / 2;
    if (needed && capture_ns >= camera.corrected_ns) ++camera.late;
    return;
  }
  camera.waiting.push_back({std::move(frame), capture_ns, arrival_ns, now_ns});
  const size_t max = kMaxWaiting + static_cast<size_t>(delay_span_ns_ / camera.period_ns);
  if (camera.waiting.size() > max) camera.waiting.pop_front();
}

int64_t FrameAssembler::set_delays(const std::vector<int64_t>& delays_ns) {
  std::vector<int64_t> shifts;
  for (size_t i = 0; i < cameras_.size(); ++i) shifts.push_back(cameras_[i].delay_ns - delays_ns[i]);
  const int64_t shift = upper_median(std::move(shifts));
  for (size_t i = 0; i < cameras_.size(); ++i) {
    Camera& camera = cameras_[i];
    const int64_t more_ns = delays_ns[i] + shift - camera.delay_ns;
    camera.delay_ns += more_ns;
    for (Waiting& waiting : camera.waiting) waiting.capture_ns -= more_ns;
    if (more_ns > 0 && started_) camera.corrected_ns = time_of(next_);
  }
  const auto [min, max] = std::minmax_element(delays_ns.begin(), delays_ns.end());
  delay_span_ns_ = *max - *min;
  return next_;
}

// Additional transit time of the camera's pictures against the fastest one's.
int64_t FrameAssembler::behind_ns(const Camera& camera) const {
  int64_t min = camera.delay_ns;
  for (const Camera& other : cameras_) min = std::min(min, other.delay_ns);
  return camera.delay_ns - min;
}

void FrameAssembler::set_away(size_t camera, std::string why) {
  cameras_[camera].here = false;
  cameras_[camera].why_away = std::move(why);
}

bool FrameAssembler::silent(const Camera& camera, int64_t now_ns) const {
  return now_ns - camera.last_ns > std::max(2 * options_.bound_ns, kSilentPeriods * camera.period_ns);
}

// The nearest picture. It is certain if it lies within half of the camera's period, or if a later one is
// there. A camera that is away is missed when its picture would have come.
FrameAssembler::Choice FrameAssembler::choose(const Camera& camera, int64_t time_ns, int64_t begun_ns,
                                              int64_t now_ns) const {
  Choice choice;
  int64_t distance = INT64_MAX;
  for (size_t i = 0; i < camera.waiting.size(); ++i) {
    const int64_t away = std::llabs(camera.waiting[i].capture_ns - time_ns);
    if (away < distance) distance = away, choice.index = i;
  }
  const bool later = !camera.waiting.empty() && camera.waiting.back().capture_ns >= time_ns;
  const bool settled = later || distance <= camera.period_ns / 2;
  const bool near = static_cast<double>(distance) <= kLargestDistance * static_cast<double>(camera.period_ns);
  const bool away = !camera.here || silent(camera, now_ns);
  if (settled && near)
    choice.standing = Standing::found;
  else if (settled || (away && now_ns >= begun_ns + behind_ns(camera)))
    choice.standing = Standing::none;
  return choice;
}

// Arrival of the first picture of the next set or a later one, as it would have been from the fastest camera.
std::optional<int64_t> FrameAssembler::begun_ns() const {
  std::optional<int64_t> first;
  for (const Camera& camera : cameras_)
    for (const Waiting& waiting : camera.waiting)
      if (waiting.capture_ns >= time_of(next_) - period_ns_ / 2)
        first = std::min(first.value_or(INT64_MAX), waiting.decoded_ns - behind_ns(camera));
  return first;
}

// Skips the numbers before the first available picture where no camera has anything for the next set.
bool FrameAssembler::skip_silence() {
  int64_t earliest = INT64_MAX;
  for (const Camera& camera : cameras_)
    if (!camera.waiting.empty()) earliest = std::min(earliest, camera.waiting.front().capture_ns);
  if (earliest == INT64_MAX) return false;
  int64_t longest = period_ns_;
  for (const Camera& camera : cameras_) longest = std::max(longest, camera.period_ns);
  if (earliest - time_of(next_) <= longest) return true;
  next_ +=
      static_cast<int64_t>(static_cast<double>(earliest - time_of(next_)) / static_cast<double>(period_ns_));
  return true;
}

void FrameAssembler::update(int64_t now_ns) {
  while (started_ && skip_silence() && try_next(now_ns)) continue;
  drop_old(now_ns);
}

void FrameAssembler::drop_old(int64_t now_ns) {
  const int64_t patience_ns = kPatiencePeriods * period_ns_ * thinning_;
  while (ready_.size() > 1 &&
         (now_ns - ready_.front().complete_ns > patience_ns || ready_.size() > kMaxWaiting)) {
    ready_.pop_front();
    ++counters_.dropped;
  }
}

bool FrameAssembler::try_next(int64_t now_ns) {
  const std::optional<int64_t> begun = begun_ns();
  if (!begun) return false;
  const int64_t time = time_of(next_);
  std::vector<Choice> choices;
  bool all = true, any = false;
  for (const Camera& camera : cameras_) {
    choices.push_back(choose(camera, time, *begun, now_ns));
    all = all && choices.back().standing != Standing::waiting;
    any = any || choices.back().standing == Standing::found;
  }
  if (!all && now_ns < *begun + delay_span_ns_ + options_.bound_ns) return false;
  if (any) hand_out(choices, now_ns);
  ++next_;
  forget_before(time_of(next_));
  return true;
}

// A slow camera's picture may serve several sets.
void FrameAssembler::forget_before(int64_t time_ns) {
  for (Camera& camera : cameras_) {
    const int64_t reach = std::max(camera.period_ns, period_ns_);
    while (!camera.waiting.empty() && camera.waiting.front().capture_ns < time_ns - reach)
      camera.waiting.pop_front();
  }
}

void FrameAssembler::follow(const Camera& camera, const Choice& choice, int64_t time_ns) {
  const int64_t off = camera.waiting[choice.index].capture_ns - time_ns;
  if (std::llabs(off) <= period_ns_ / 2) origin_ns_ += kGridFollowShare * static_cast<double>(off);
}

void FrameAssembler::hand_out(const std::vector<Choice>& choices, int64_t now_ns) {
  ++counters_.sets;
  const int64_t time = time_of(next_);
  AssembledSet set;
  set.capture_ns = time;
  set.complete_ns = now_ns;
  set.frames.frame = next_;
  set.frames.time_ns = std::max<int64_t>(time - start_ns_, 0);
  bool whole = true, followed = false;
  for (size_t i = 0; i < cameras_.size(); ++i) {
    const Camera& camera = cameras_[i];
    CameraFrame& out = set.frames.cameras.emplace_back();
    if (choices[i].standing != Standing::found) {
      whole = false;
      out.problem =
          camera.here ? options_.names[i] + " sent no picture of this instant in time" : camera.why_away;
      continue;
    }
    const Waiting& chosen = camera.waiting[choices[i].index];
    out = chosen.frame;
    out.offset_remainder_frames =
        static_cast<double>(time - chosen.capture_ns) / static_cast<double>(camera.period_ns);
    set.last_arrival_ns = std::max(set.last_arrival_ns, chosen.arrival_ns);
    if (!followed) follow(camera, choices[i], time);
    followed = true;
  }
  if (!whole) ++counters_.incomplete;
  if (listener_) listener_(set);
  if (next_ % thinning_ != 0) {
    ++counters_.thinned;
    return;
  }
  ready_.push_back(std::move(set));
}

std::optional<AssembledSet> FrameAssembler::take() {
  if (ready_.empty()) return std::nullopt;
  AssembledSet set = std::move(ready_.front());
  ready_.pop_front();
  return set;
}

int64_t FrameAssembler::next_deadline_ns(int64_t now_ns) const {
  if (!started_) return INT64_MAX;
  const std::optional<int64_t> begun = begun_ns();
  if (!begun) return INT64_MAX;
  int64_t deadline = *begun + delay_span_ns_ + options_.bound_ns;
  for (const Camera& camera : cameras_) {
    const int64_t missed = *begun + behind_ns(camera);
    if (!camera.here && missed > now_ns) deadline = std::min(deadline, missed);
  }
  return deadline;
}

}  // namespace vantage
