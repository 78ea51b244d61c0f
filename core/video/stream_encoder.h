// Pictures of a camera that brings no stream, made into one: how cameras at this machine and played files are
// recorded. H.264 of high quality, a key picture every second; each picture's packet comes with it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/video/av_handles.h"
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

// H.264 through one of FFmpeg's encoders: pictures in, packets out.

struct H264Options {
  double frame_rate = 25;
  int crf = 20;         // quality by x264's scale, 0 (lossless) to 51
  int gop_frames = 25;  // largest distance between key frames
  int b_frames = 2;
  bool at_once = false;  // a picture's packet comes with it, at some more bits
  // Another encoder where there is no libx264, a GPU's before it: h264_nvenc, libx264, libopenh264, the first
  // that starts. Otherwise libx264 alone, which gives the same file everywhere.
  bool any_encoder = false;
};

class H264Encoder {
 public:
  // Errors: unsupported (an odd size, no encoder), invalid_argument, out_of_memory, io.
  static Result<H264Encoder> open(const PictureFormat& format, const H264Options& options);

  // A picture in host memory, of the format given at open(), shown at that tick of the frame rate; null: what
  // the encoder still holds comes out. `take` gets each packet and says FFmpeg's error code or 0, as this
  // does.
  int encode(const Picture* picture, int64_t tick, const std::function<int(AVPacket&)>& take);
  const AVCodecContext& context() const { return *context_; }
  std::string name() const;  // as FFmpeg calls it: "libx264"

 private:
  H264Encoder() = default;
  Status start(const char* name, const H264Options& options);

  PictureFormat format_;
  av::Owned<AVCodecContext> context_;
  av::Owned<AVFrame> frame_;
  av::Owned<AVPacket> packet_;
};

}  // namespace vantage
