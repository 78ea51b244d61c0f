// The compressed pictures of a live camera as they come, each with when its last byte was there. Opening,
// reading and closing never take longer than the address's limits.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/video/detail/packet_reader.h"
#include "core/video/live/live_address.h"

namespace vantage {

struct PacketArrival {
  int64_t arrival_ns = -1;  // when it was there as a whole, on trace_now_ns()'s clock
  // When the camera says it was taken, nanoseconds since 1970 on the camera's clock; kNoTime: it has not
  // said.
  int64_t sender_utc_ns = kNoTime;
  bool after_loss = false;  // data of it, or of pictures before it, was lost on the way
};

class LiveReceiver : public PacketSource {
 public:
  // Errors: not_found (no such path), io (refused, not reachable, wrong password, nothing received for the
  // limit), bad_data, unsupported; none of them holds credentials.
  static Result<std::unique_ptr<LiveReceiver>> open(const LiveAddress& address, const StopSource& stop);
  virtual const PacketArrival& arrival() const = 0;  // of the packet that next() gave last
};

// RTSP, over TCP and UDP, through GStreamer: a picture is whole when RTP's marker says so, which FFmpeg's
// receiver does not hand on. H.264, HEVC, Motion JPEG and MPEG-4. A camera without markers: a picture of
// H.264 or HEVC is whole when the next one begins.
Result<std::unique_ptr<LiveReceiver>> open_rtsp_receiver(const LiveAddress& address, const StopSource& stop);

}  // namespace vantage
