// Compressed pictures of a live stream on their way to a recording: what a camera sent, as it sent it.
// FFmpeg's types are only passed through.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/base/threads.h"
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

// The packets of a stretch of a video file, copied without decoding them: an original next to what is made of
// it.

struct CopiedPackets {
  int64_t pictures = 0;       // packets of the video stream
  double first_s = 0;         // when the first of them is shown, from the file's first picture
  bool whole_stretch = true;  // false: it begins late, as the file holds no key picture before
};

// Writes a Matroska file with every picture shown from from_s to before to_s, from the key picture at or
// before the first of them on, and the sound with it. Times count from the file's first picture. Nothing is
// left where it fails. Errors: io, bad_data, unsupported (Matroska does not hold the codec, or it is no
// file), cancelled.
Result<CopiedPackets> copy_packets(const std::string& from, double from_s, double to_s,
                                   const std::filesystem::path& to, const StopSource& stop);

// When the recording began by its container, seconds since 1970: what cameras and phones write as
// creation_time. 0: it says nothing. Errors: io, bad_data.
Result<double> container_start_utc_s(const std::string& file);

}  // namespace vantage
