// Test cameras: the videos of a recording served as live RTSP streams on this machine only,
// rtsp://127.0.0.1:PORT/NAME (rtsps:// with a certificate), in step with each other, in real time, without
// re-encoding, through GStreamer's RTSP server (whose headers stay in this folder's .cpp files). TCP and UDP,
// as requested by the client.
//
// All cameras view one scene whose clock starts with the server; picture k of camera c shows the scene at (k
// - offset_c) / rate_c. A camera's own clock may be wrong (clock_offset, clock_drift): then its time stamps
// and sender reports are, but the pictures still come at the right time. Faults are drawn from the seed.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace vantage {

// Faults of a test camera, drawn from a seed.

struct StreamFaults {
  double jitter_ms = 0;     // mean of an exponential delay of each picture; pictures stay in order
  double loss = 0;          // share of RTP packets that are not sent, 0 to 1
  double cuts_every_s = 0;  // mean time between two interruptions of a camera; 0: none
  double cut_s = 2;         // mean length of one, which is half to one and a half of it
  uint64_t seed = 1;
};

enum class StreamEvent : uint8_t { none, cut, stall };  // connection gone; connected, but nothing comes

// One camera's interruptions and delays along the scene's clock. Times must ascend between calls.
class FaultSchedule {
 public:
  FaultSchedule(const StreamFaults& faults, size_t camera);
  // The fault at that time.
  StreamEvent at(int64_t scene_ns);
  int64_t jitter_ns();
  int64_t cuts() const { return cuts_; }
  int64_t stalls() const { return stalls_; }

 private:
  void plan_next(int64_t after_ns);

  const StreamFaults faults_;
  std::mt19937_64 events_, delays_;
  StreamEvent kind_ = StreamEvent::none;
  int64_t begin_ns_ = INT64_MAX, end_ns_ = INT64_MAX;
  bool inside_ = false;
  int64_t cuts_ = 0, stalls_ = 0;
};

// One camera's packets that are not sent. Called on GStreamer's threads, of which two may send for one camera
// while viewers change.
class PacketLoss {
 public:
  PacketLoss(const StreamFaults& faults, size_t camera);
  bool next();

 private:
  const double share_;
  std::mutex mutex_;  // guards the following
  std::mt19937_64 losses_;
};

struct StreamedCamera {
  std::string name;  // end of the address; letters, digits, - and _ (others become _)
  std::string path;  // a video file
  double offset_frames = 0;
  double frame_rate = 0;       // 0: the container's
  double clock_offset_s = 0;   // its clock minus the true one
  double clock_drift_ppm = 0;  // rate error of its clock
  double delay_s = 0;  // its pictures show the scene of that time before, without any sign in the stream
};

struct StreamServerOptions {
  std::vector<StreamedCamera> cameras;
  int port = 0;                            // 0: any free one
  bool loop = true;                        // false: each camera ends with its video
  double start_delay_s = 0;                // the scene pauses at its beginning for so long
  std::string user, password;              // empty: anyone can view
  std::string certificate_file, key_file;  // PEM; both: rtsps://
  StreamFaults faults;
};

struct StreamStatistics {
  int64_t pictures = 0;  // sent to a client
  int64_t packets_lost = 0;
  int64_t cuts = 0, stalls = 0;
  int viewers = 0;
};

class StreamServer {
 public:
  // Errors: those of AccessUnitReader; io where the port is taken; bad_data where certificate or key cannot
  // be used.
  static Result<std::unique_ptr<StreamServer>> start(StreamServerOptions options);
  virtual ~StreamServer() = default;
  virtual int port() const = 0;
  virtual std::string address(size_t camera) const = 0;  // without credentials
  // Beginning of the scene on the system's clock, nanoseconds since 1970.
  virtual int64_t scene_start_utc_ns() const = 0;
  virtual int64_t scene_length_ns() const = 0;  // length of one round of the loop
  virtual StreamStatistics statistics(size_t camera) const = 0;
  // All videos have ended; never with loop.
  virtual bool finished() const = 0;
  // Why a camera no longer sends; empty: all is well.
  virtual std::string problem() const = 0;
  // For tests: disconnects the camera (its viewers are ended and refused), or reconnects it.
  virtual void set_away(size_t camera, bool away) = 0;
};

}  // namespace vantage
