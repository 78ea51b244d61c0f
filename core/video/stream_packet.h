// Compressed pictures of a live stream on their way to a recording: what a camera sent, as it sent it.
// FFmpeg's types are only passed through.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/video/av_handles.h"

struct AVCodecParameters;

namespace vantage {

// The format that the packets of one connection have in common; another connection has another object.
struct StreamFormat {
  av::Owned<AVCodecParameters> parameters;
  std::string codec;  // "h264"
  int width_px = 0, height_px = 0;
};

struct StreamPacket {
  std::shared_ptr<const StreamFormat> format;
  std::shared_ptr<const AVPacket> packet;
  int64_t number = -1;   // of the camera, from 0
  int64_t time_ns = -1;  // when it is shown, on the stream's own clock; only with has_time
  bool has_time = false;
  int64_t arrival_ns = -1;  // on trace_now_ns()'s clock
  int64_t size_bytes = 0;
  bool start = false;  // decoding from here gives every later picture as it should be
  bool key = false;    // the container or parser calls it a key picture
};

using PacketTap = std::function<void(const StreamPacket&)>;

}  // namespace vantage
