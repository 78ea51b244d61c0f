// One test camera on the RTSP server: the payloader that gets its pictures while there is a viewer, and its
// clock.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/live/test_cameras/stream_server.h"
#include "core/video/access_units.h"

typedef struct _GstAppSrc GstAppSrc;
typedef struct _GstClock GstClock;
typedef struct _GstRTSPMedia GstRTSPMedia;
typedef struct _GstRTSPMediaFactory GstRTSPMediaFactory;

namespace vantage {

class RtspCamera {
 public:
  struct Options {
    std::string codec;
    double clock_offset_s = 0, clock_drift_ppm = 0;
    bool with_login = false;
    std::function<bool()> loses_packet;
  };
  static Result<std::unique_ptr<RtspCamera>> make(Options options);
  ~RtspCamera();

  GstRTSPMediaFactory* factory() const { return factory_; }
  // Does nothing without a viewer; a new viewer first gets a key picture.
  void send(const AccessUnit& unit, int64_t capture_utc_ns);
  void end();
  int64_t pictures() const { return pictures_; }
  int64_t packets_lost() const { return losses_->packets; }

 private:
  friend struct RtspCallbacks;
  // Shared with the stream's thread, which may still send after the camera is destroyed.
  struct Losses {
    std::function<bool()> next;
    std::atomic<int64_t> packets{0};
  };
  RtspCamera() = default;
  void configure(GstRTSPMedia* media);
  void forget(GstRTSPMedia* media);
  void drop_media();  // mutex_ is held
  int64_t camera_time_ns(int64_t utc_ns) const;

  Options options_;
  const std::shared_ptr<Losses> losses_ = std::make_shared<Losses>();
  GstRTSPMediaFactory* factory_ = nullptr;
  GstClock* clock_ = nullptr;
  int64_t origin_utc_ns_ = 0;  // origin of its clock
  std::mutex mutex_;           // guards the following
  GstRTSPMedia* media_ = nullptr;
  GstAppSrc* source_ = nullptr;  // null without a viewer
  bool needs_key_ = true;
  std::atomic<int64_t> pictures_{0};
};

// One test camera's thread: sends its video's pictures when they are due, round after round.

struct CameraFeedOptions {
  std::unique_ptr<AccessUnitReader> reader;
  int64_t scene_start_utc_ns = 0;
  int64_t round_ns = 0;   // 0: one round only
  int64_t offset_ns = 0;  // time of the video at which the scene begins
  int64_t delay_ns = 0;   // delay of everything, including the stated capture times
  StreamFaults faults;
  size_t camera = 0;
};

class CameraFeed {
 public:
  struct Actions {
    // A picture and its capture time (UTC). Called on the feed's thread.
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
  std::thread thread_;  // destroyed first: it uses the other members
};

}  // namespace vantage
