// Live cameras as a FrameSource: their present pictures, set by set. next() waits for a set and returns its
// number, read() returns the set; past sets cannot be read again. Files among the cameras are played at their
// own pace.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/live/credentials.h"
#include "core/live/health.h"
#include "core/live/known_views.h"
#include "core/live/live_relay.h"
#include "core/primitives/luma_thumbnail.h"
#include "core/video/frame_source.h"

namespace vantage {

struct LiveOptions {
  double bound_s = 0.2;        // maximum wait of a set for its last picture after the first
  double rate = 0;             // sets/s; 0: that of the first camera
  int every = 0;               // every n-th set is analysed; 0: as many as possible
  double code_zero_utc_s = 0;  // UTC of 00:00:00 of burnt-in time codes (pace.h)
  double connect_s = 15;       // maximum wait for the first pictures of all cameras
};

struct LiveFrameSourceOptions {
  FrameSourceOptions source;  // offsets and changes do not apply
  struct Size {
    int width_px = 0, height_px = 0;  // 0: as sent
  };
  std::vector<Size> sizes;                             // requested, by camera
  std::vector<double> delays_s;                        // as for set_delays(); empty: none are known
  std::shared_ptr<const CredentialStore> credentials;  // for addresses without; null: there are none
  std::shared_ptr<KnownViews> views;                   // views of calibrated cameras; null: there are none
  std::vector<uint64_t> calibrations;                  // one per camera, for those views; 0: none
  // Thumbnails of pictures in a device's memory, one maker per camera; empty: not examined.
  std::function<Result<std::unique_ptr<LumaThumbnails>>()> make_thumbnails;
  LiveOptions live;
  StopSource stop;  // ends the wait for the first pictures
};

class LiveFrameSource : public FrameSource {
 public:
  // Waits until every camera shows something, for connect_s at most; then continues with those that do, and
  // retries the others. Errors, with the reason: no camera is available, or one of unknown size is missing.
  static Result<std::unique_ptr<LiveFrameSource>> open(LiveFrameSourceOptions options);

  // Waits for the next set, for limit_s at most (0: indefinitely); nothing: none came. ErrorKind::cancelled
  // on a stop request.
  virtual Result<std::optional<int64_t>> next(const StopSource& stop, double limit_s) = 0;
  Result<int64_t> next(const StopSource& stop);  // waits indefinitely
  // Notes that the result of that set is ready, for the latency.
  virtual void note_result(int64_t frame) = 0;
  virtual LiveHealth health() const = 0;
  // Transit times of each camera's pictures beyond what its clock shows; only differences count. Returns the
  // first set with them (FrameAssembler::set_delays).
  virtual int64_t set_delays(const std::vector<double>& seconds) = 0;
  // Accepts this camera's present view as its reference; as LiveCamera::accept_view().
  virtual void accept_view(size_t camera) = 0;
  virtual int thinning() const = 0;  // every n-th set is analysed now
  virtual double start_utc_s()
      const = 0;  // time of set time 0, seconds since 1970; 0: no set was released yet
  // Adds `tap`, which gets all packets of the cameras from now on, after kept ones; as LiveRelay::add().
  virtual int64_t add_tap(std::shared_ptr<LiveTap> tap, int64_t first_set) = 0;
  virtual void remove_tap(const LiveTap& tap) = 0;  // it is not called after return
  // Keeps the cameras' packets for that time, for taps added later; 0: only while they are needed.
  virtual void keep_packets(double seconds) = 0;
};

// True if one of the videos is an address.
bool has_live_address(const std::vector<FrameSourceCamera>& cameras);

}  // namespace vantage
