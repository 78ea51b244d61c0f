#include "core/live/test_cameras/detail/camera_feed.h"

#include <algorithm>
#include <chrono>

namespace vantage {

CameraFeed::CameraFeed(CameraFeedOptions options, Actions actions)
    : options_(std::move(options)),
      actions_(std::move(actions)),
      faults_(options_.faults, options_.camera),
      thread_([this] { run(); }) {}

CameraFeed::~CameraFeed() {
  stop_.request_stop();
  thread_.join();
}

std::string CameraFeed::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

void CameraFeed::run() {
  for (int64_t round = 0; !stop_.stop_requested(); ++round) {
    const Result<bool> played = play_round(round);
    if (!played) {
      const std::lock_guard lock(mutex_);
      problem_ = played.error().message();
    }
    if (!played || !*played || options_.round_ns == 0) break;
  }
  if (!stop_.stop_requested()) actions_.on_end();
  finished_ = true;
}

// In short steps, so that a stop is heard.
void CameraFeed::wait_until(int64_t utc_ns) const {
  constexpr int64_t kStep_ns = 50'000'000;
  for (int64_t left = utc_ns - utc_now_ns(); left > 0 && !stop_.stop_requested();
       left = utc_ns - utc_now_ns())
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(left, kStep_ns)));
}

void CameraFeed::follow_events(int64_t scene_ns) {
  const StreamEvent now = faults_.at(scene_ns);
  cuts_ = faults_.cuts(), stalls_ = faults_.stalls();
  if (now == event_) return;
  event_ = now;
  actions_.on_event(now);
}

// False when a stop was asked for.
Result<bool> CameraFeed::play_round(int64_t round) {
  if (round > 0) VANTAGE_TRY(options_.reader->rewind());
  const int64_t start = options_.scene_start_utc_ns + options_.delay_ns + round * options_.round_ns;
  AccessUnit unit;
  for (;;) {
    VANTAGE_ASSIGN(const bool more, options_.reader->next(&unit));
    if (!more) return true;
    const int64_t scene_ns = unit.capture_ns - options_.offset_ns;
    if (options_.round_ns > 0 && scene_ns >= options_.round_ns) continue;  // longer than the base's video
    const int64_t capture = start + scene_ns;
    const int64_t due = start + unit.send_ns - options_.offset_ns + faults_.jitter_ns();
    last_send_ns_ = std::max(last_send_ns_, due);
    wait_until(last_send_ns_);
    if (stop_.stop_requested()) return false;
    follow_events(capture - options_.scene_start_utc_ns);
    if (event_ == StreamEvent::none && scene_ns >= 0) actions_.send(unit, capture);
  }
}

}  // namespace vantage
