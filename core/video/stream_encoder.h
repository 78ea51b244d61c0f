// Pictures of a camera that brings no stream, made into one: how cameras at this machine and played files are
// recorded. H.264 of high quality, a key picture every second; each picture's packet comes with it.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/video/stream_packet.h"

namespace vantage {

class StreamEncoder {
 public:
  virtual ~StreamEncoder() = default;
  // Errors as H264Encoder::open()'s.
  static Result<std::unique_ptr<StreamEncoder>> open(const PictureFormat& format, double frame_rate);
  virtual const PictureFormat& format() const = 0;
  // A picture in host memory, of that format. Number and times of the packet are the caller's to fill in.
  virtual Result<StreamPacket> encode(const Picture& picture) = 0;
};

}  // namespace vantage
