// One live camera: a thread that connects, receives, decodes and connects again for as long as it takes.
// Waits between two attempts grow by two fifths from kFirstWait_s to kLongestWait_s; five seconds of pictures
// start them over.
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
  int width_px = 0, height_px = 0;  // 0: as it comes
  std::shared_ptr<HardwareDecode> hardware;
  TraceRecorder* trace = nullptr;
  std::shared_ptr<KnownViews> views;           // null: the view is compared with the first seconds
  uint64_t calibration = 0;                    // what its view belongs to; 0: there is none
  std::unique_ptr<LumaThumbnails> thumbnails;  // of pictures in a device's memory; null: not judged
};

class LiveCamera {
 public:
  static constexpr double kFirstWait_s = 0.5, kLongestWait_s = 15;
  // How long a camera that has told its clock before may take to tell it again.
  static constexpr int64_t kClockPatience_ns = 2'000'000'000;

  struct Arrival {
    DecodedFrame frame;
    int64_t capture_ns = 0;  // on trace_now_ns()'s clock
    double rate = 0;         // the camera's own, by its stream's times
  };
  // Called on the camera's thread; `on_away` when a connection is lost or cannot be made, with the sentence.
  struct Listener {
    std::function<void(Arrival)> on_picture;
    std::function<void(const std::string& why)> on_away;
  };
  LiveCamera(LiveCameraOptions options, Listener listener);
  ~LiveCamera();

  // Everything that the camera sends from its last start point on goes there too, on this and on the camera's
  // thread; an empty function ends it: afterwards nothing comes. Pictures of a camera that brings no stream
  // (at this machine, or a played file) are encoded for it.
  void set_tap(PacketTap tap);
  // The rate by its stream's times; 0: not known yet.
  double rate() const;
  VideoInfo info() const;
  CameraHealth health() const;
  // The delay that cameras with right clocks show; used where this one has none.
  void set_common_delay(int64_t delay_ns);
  std::optional<int64_t> measured_delay_ns() const;
  // Accepts the present view as the right one: with a calibration it is kept in place of the one before, as
  // soon as it is learnt.
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
  StreamCounters before_;  // of the connections before the present one
  struct Sample {
    int64_t arrival_ns = 0, bytes = 0;
  };
  std::deque<Sample> recent_;     // of the last seconds
  std::deque<int64_t> steps_ns_;  // between the stream times of the last pictures
  bool timed_ = false;            // the stream gives times
  bool had_sender_ = false;       // the connection before ended with the sender's clock
  int64_t last_stream_ns_ = -1, last_arrival_ns_ = -1, first_arrival_ns_ = -1;
  std::mutex tap_mutex_;  // of what follows
  PacketTap tap_;
  std::deque<StreamPacket> since_start_;  // packets from the last start point on
  int64_t kept_bytes_ = 0;
  std::atomic<int64_t> first_packet_{0};  // the number of the connection's first packet
  int64_t next_packet_ = 0;
  bool streams_ = false;                    // the source brings packets itself
  std::string reported_conversion_;         // of its pictures, in the log
  std::unique_ptr<StreamEncoder> encoder_;  // while anyone listens to one that does not
  std::thread thread_;                      // last: it uses the others
};

}  // namespace vantage
