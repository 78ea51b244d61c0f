// H.264 through FFmpeg's libx264: pictures in, packets out.
#pragma once

#include <functional>

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/video/av_handles.h"

namespace vantage {

struct X264Options {
  double frame_rate = 25;
  int crf = 20;         // quality, 0 (lossless) to 51
  int gop_frames = 25;  // largest distance between key frames
  int b_frames = 2;
  bool at_once = false;  // a picture's packet comes with it, at some more bits
};

class X264Encoder {
 public:
  // Errors: unsupported (an odd size, no libx264), invalid_argument, out_of_memory, io.
  static Result<X264Encoder> open(const PictureFormat& format, const X264Options& options);

  // A picture in host memory, of the format given at open(), shown at that tick of the frame rate; null: what
  // the encoder still holds comes out. `take` gets each packet and says FFmpeg's error code or 0, as this
  // does.
  int encode(const Picture* picture, int64_t tick, const std::function<int(AVPacket&)>& take);
  const AVCodecContext& context() const { return *context_; }

 private:
  X264Encoder() = default;
  Status start(const X264Options& options);

  PictureFormat format_;
  av::Owned<AVCodecContext> context_;
  av::Owned<AVFrame> frame_;
  av::Owned<AVPacket> packet_;
};

}  // namespace vantage
