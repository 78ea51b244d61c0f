// One test camera's thread: hands out its video's pictures at the instants they are due, round after
// round.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/base/stop_token.h"
#include "core/base/utc_clock.h"
#include "core/live/test_cameras/stream_faults.h"
#include "core/video/access_units.h"

namespace vantage {

struct CameraFeedOptions {
  std::unique_ptr<AccessUnitReader> reader;
  int64_t scene_start_utc_ns = 0;
  int64_t round_ns = 0;   // length of a round; 0: one round only
  int64_t offset_ns = 0;  // the instant of the video at which the scene begins
  int64_t delay_ns = 0;   // everything is so much later, also what is said about when it was taken
  StreamFaults faults;
  size_t camera = 0;
};

class CameraFeed {
 public:
  struct Actions {
    // A picture, and when it was taken (UTC). Called on the feed's thread.
    std::function<void(const AccessUnit& unit, int64_t capture_utc_ns)> send;
    std::function<void(StreamEvent now)> on_event;  // when it changes
    std::function<void()> on_end;                   // after the last round
  };
  CameraFeed(CameraFeedOptions options, Actions actions);
  ~CameraFeed();

  bool finished() const { return finished_; }
  std::string problem() const;
  int64_t cuts() const { return cuts_; }
  int64_t stalls() const { return stalls_; }

 private:
  void run();
  Result<bool> play_round(int64_t round);
  void wait_until(int64_t utc_ns) const;
  void follow_events(int64_t scene_ns);

  CameraFeedOptions options_;
  const Actions actions_;
  FaultSchedule faults_;
  StreamEvent event_ = StreamEvent::none;
  int64_t last_send_ns_ = 0;
  StopSource stop_;
  std::atomic<bool> finished_{false};
  std::atomic<int64_t> cuts_{0}, stalls_{0};
  mutable std::mutex mutex_;
  std::string problem_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace vantage
