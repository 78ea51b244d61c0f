// One live camera: a thread that connects, receives, decodes and reconnects indefinitely. Waits between
// attempts grow by two fifths from kFirstWait_s to kLongestWait_s; five seconds of pictures reset them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/base/threads.h"
#include "core/live/health.h"
#include "core/live/live_clock.h"
#include "core/live/view_watch.h"
#include "core/video/stream_encoder.h"
#include "core/video/video_source.h"

namespace vantage {

struct LiveCameraOptions {
  std::string name, address;
  int index = 0;
  int width_px = 0, height_px = 0;  // 0: as sent
  std::shared_ptr<HardwareDecode> hardware;
  TraceRecorder* trace = nullptr;
  std::shared_ptr<KnownViews> views;  // null: the view is compared with the first seconds
  uint64_t calibration = 0;           // hash of its view's calibration; 0: there is none
  std::unique_ptr<LumaThumbnails>
      thumbnails;  // thumbnails of pictures in a device's memory; null: not examined
};

class LiveCamera {
 public:
  static constexpr double kFirstWait_s = 0.5, kLongestWait_s = 15;
  // Maximum time until a camera that sent its clock before sends it again.
  static constexpr int64_t kClockPatience_ns = 2'000'000'000;

  struct Arrival {
    DecodedFrame frame;
    int64_t capture_ns = 0;  // on trace_now_ns()'s clock
    double rate = 0;         // the camera's own, by its stream's times
  };
  // Called on the camera's thread; `on_away` when a connection fails, with the reason.
  struct Listener {
    std::function<void(Arrival)> on_picture;
    std::function<void(const std::string& why)> on_away;
  };
  LiveCamera(LiveCameraOptions options, Listener listener);
  ~LiveCamera();

  // Sends everything from the camera's last start point on to `tap`, on this thread and the camera's; an
  // empty function ends it, and afterwards nothing comes. Pictures of a camera without a stream (at this
  // machine, or a played file) are encoded for it.
  void set_tap(PacketTap tap);
  // The rate by its stream's times; 0: not known yet.
  double rate() const;
  VideoInfo info() const;
  CameraHealth health() const;
  // Delay of cameras with correct clocks, used where this one has none.
  void set_common_delay(int64_t delay_ns);
  std::optional<int64_t> measured_delay_ns() const;
  // Accepts the present view as the correct one: with a calibration it replaces the kept one, once it is
  // learnt.
  void accept_view();

 private:
  void run();
  Error receive();
  void begin_stream();
  void note_rate(int64_t stream_ns);
  void take(DecodedFrame frame, const StreamCounters& counters);
  void note_faults(const StreamCounters& counters);
  void watch_view(const Picture& picture, int64_t arrival_ns);
  void keep_view();
  void note_without_picture(const std::string& why, const StreamCounters& counters);
  bool clock_known() const;
  void wait(double seconds);
  void hand_on(StreamPacket packet);
  bool tapped();
  void encode_for_tap(DecodedFrame& frame, double rate);
  Result<StreamPacket> encoded(const Picture& picture, double rate);

  LiveCameraOptions options_;
  const Listener listener_;
  StopSource stop_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  LiveClock clock_;
  ViewWatch view_;
  bool view_kept_ = false;  // or there is nothing to keep
  VideoInfo info_;
  CameraHealth health_;
  StreamCounters before_;  // sum of the connections before the present one
  struct Sample {
    int64_t arrival_ns = 0, bytes = 0;
  };
  std::deque<Sample> recent_;     // samples of the last seconds
  std::deque<int64_t> steps_ns_;  // between the stream times of the last pictures
  bool timed_ = false;            // the stream has times
  bool had_sender_ = false;       // the previous connection ended with the sender's clock
  int64_t last_stream_ns_ = -1, last_arrival_ns_ = -1, first_arrival_ns_ = -1;
  std::mutex tap_mutex_;  // guards the following
  PacketTap tap_;
  std::deque<StreamPacket> since_start_;  // packets from the last start point on
  int64_t kept_bytes_ = 0;
  std::atomic<int64_t> first_packet_{0};  // number of the connection's first packet
  int64_t next_packet_ = 0;
  bool streams_ = false;                    // the source provides packets
  std::string reported_conversion_;         // conversion of its pictures, as logged
  std::unique_ptr<StreamEncoder> encoder_;  // for listeners of a camera without packets
  std::thread thread_;                      // destroyed first: it uses the other members
};

}  // namespace vantage
