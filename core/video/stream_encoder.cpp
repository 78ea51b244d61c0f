#include "core/video/stream_encoder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/video/detail/h264_encoder.h"

extern "C" {
#include <libavcodec/avcodec.h>
}

namespace vantage {
namespace {

constexpr int kCrf = 18;

class PictureStream final : public StreamEncoder {
 public:
  PictureStream(const PictureFormat& format, H264Encoder encoder)
      : picture_format_(format), encoder_(std::move(encoder)) {}

  Status describe() {
    auto described = std::make_shared<StreamFormat>();
    described->parameters.reset(avcodec_parameters_alloc());
    if (!described->parameters ||
        avcodec_parameters_from_context(described->parameters.get(), &encoder_.context()) < 0)
      return fail(ErrorKind::out_of_memory, "not enough memory to encode");
    described->codec = "h264";
    described->width_px = picture_format_.width, described->height_px = picture_format_.height;
    format_ = std::move(described);
    return {};
  }

  const PictureFormat& format() const override { return picture_format_; }

  Result<StreamPacket> encode(const Picture& picture) override {
    StreamPacket out;
    const int code = encoder_.encode(&picture, ticks_++, [&](AVPacket& packet) {
      std::shared_ptr<AVPacket> kept(av_packet_clone(&packet), av::Free());
      if (!kept) return AVERROR(ENOMEM);
      out.size_bytes = packet.size;
      out.start = out.key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
      out.packet = std::move(kept);
      return 0;
    });
    if (code < 0 || !out.packet)
      return fail(ErrorKind::io, "a picture cannot be encoded: " + av::error_text(code));
    out.format = format_;
    return out;
  }

 private:
  const PictureFormat picture_format_;
  H264Encoder encoder_;
  std::shared_ptr<const StreamFormat> format_;
  int64_t ticks_ = 0;
};

}  // namespace

Result<std::unique_ptr<StreamEncoder>> StreamEncoder::open(const PictureFormat& format, double frame_rate) {
  H264Options options;
  options.frame_rate = frame_rate;
  options.crf = kCrf;
  options.gop_frames = std::max(1, static_cast<int>(std::lround(frame_rate)));
  options.b_frames = 0;
  options.at_once = true;
  VANTAGE_ASSIGN(H264Encoder encoder, H264Encoder::open(format, options));
  auto stream = std::make_unique<PictureStream>(format, std::move(encoder));
  VANTAGE_TRY(stream->describe());
  return stream;
}

}  // namespace vantage
