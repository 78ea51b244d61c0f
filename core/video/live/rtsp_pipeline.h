// GStreamer's side of an RTSP camera: connects, asks for its first video stream that can be decoded, and
// hands out the stream's pictures, whole and in the order they were sent. GStreamer's headers stay in the
// .cpp files.
//
// Pictures are not held back: over TCP there is no jitter buffer, over UDP a packet that is missing is waited
// for for kReordering_ms. Pictures wait in a queue; when kMaxWaiting_bytes are there, the network is not read
// until some are taken (over TCP the camera then waits, over UDP packets are lost and said to be).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/video/av_handles.h"
#include "core/video/live/live_address.h"
#include "core/video/live/live_receiver.h"

namespace vantage {

struct RtspStream {
  int codec = 0;  // FFmpeg's AVCodecID
  int clock_rate = 90000;
  double stated_rate = 0;              // frames/s by the session description; 0: not stated
  std::vector<uint8_t> configuration;  // of MPEG-4, by the session description
};

struct RtspPicture {
  av::Owned<AVPacket> packet;  // pts in ticks of the stream's clock, no dts
  PacketArrival arrival;
};

class RtspPipeline {
 public:
  static constexpr int kReordering_ms = 50;
  static constexpr size_t kMaxWaiting_bytes = size_t{32} << 20;

  // Begins to connect and returns. Errors: unsupported (parts of GStreamer are missing).
  static Result<std::unique_ptr<RtspPipeline>> start(const LiveAddress& address);
  virtual ~RtspPipeline() = default;

  // The next picture; waits for one until `deadline_ns` (trace_now_ns()'s clock). Nothing: too late, or a
  // stop was requested, or failed() or ended().
  virtual std::optional<RtspPicture> next(int64_t deadline_ns, const StopSource& stop) = 0;
  // Once the first picture is there.
  virtual RtspStream stream() const = 0;
  // Why it goes on no longer, as FFmpeg's error code; 0: it does.
  virtual int failure() const = 0;
  virtual bool ended() const = 0;  // by the camera
};

}  // namespace vantage

struct _GstMessage;

namespace vantage {

// Failures of an RTSP camera, as FFmpeg's error codes: live_error() has the sentences.

// The error code of one of GStreamer's error messages. AVERROR(ENOTCONN): there is no connection, but it does
// not say why.
int rtsp_failure(_GstMessage* message);

// Why the host of that address takes no connection; asks it once more.
int connection_failure(const std::string& address);

}  // namespace vantage
