// One test camera's place on the RTSP server: the payloader that its pictures go into while anyone
// watches, and its clock.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "core/base/result.h"
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
  // Does nothing while no one watches; what comes first for a new viewer is a key picture.
  void send(const AccessUnit& unit, int64_t capture_utc_ns);
  void end();
  int64_t pictures() const { return pictures_; }
  int64_t packets_lost() const { return losses_->packets; }

 private:
  friend struct RtspCallbacks;
  // Shared with the stream's thread, which may still send when the camera is gone.
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
  int64_t origin_utc_ns_ = 0;  // where its clock was set
  std::mutex mutex_;           // of what follows
  GstRTSPMedia* media_ = nullptr;
  GstAppSrc* source_ = nullptr;  // while anyone watches
  bool needs_key_ = true;
  std::atomic<int64_t> pictures_{0};
};

}  // namespace vantage
