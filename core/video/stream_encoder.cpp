#include "core/video/stream_encoder.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
}

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

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

namespace {

constexpr int kEncoderThreads = 2;       // fixed: x264's output depends on it
constexpr int kRateDenominator = 90000;  // frame rates are kept to that precision
// OpenH264 has no quality setting: so many bits for a pixel are enough for people and text.
constexpr double kOpenH264Bits_per_px = 0.15;

AVColorSpace color_space(ColorMatrix matrix) {
  switch (matrix) {
    case ColorMatrix::bt709:
      return AVCOL_SPC_BT709;
    case ColorMatrix::bt2020:
      return AVCOL_SPC_BT2020_NCL;
    case ColorMatrix::bt601:
      break;
  }
  return AVCOL_SPC_SMPTE170M;
}

// Options of each encoder besides those that all share.
void set_up(AVCodecContext& c, std::string_view name, const H264Options& options) {
  if (name == "libx264") {
    av_opt_set(c.priv_data, "preset", "veryfast", 0);
    if (options.at_once) av_opt_set(c.priv_data, "tune", "zerolatency", 0);
    // x264's macroblock tree reads memory it never wrote when the width is no multiple of 64: the same
    // pictures would not always give the same file.
    av_opt_set(c.priv_data, "x264-params", "mbtree=0", 0);
    av_opt_set_int(c.priv_data, "crf", options.crf, 0);
  } else if (name == "h264_nvenc") {
    av_opt_set(c.priv_data, "preset", "p4", 0);
    av_opt_set(c.priv_data, "rc", "vbr", 0);
    av_opt_set_int(c.priv_data, "cq", options.crf, 0);
    if (options.at_once) av_opt_set_int(c.priv_data, "delay", 0, 0);
  } else {
    c.max_b_frames = 0;
    c.bit_rate = static_cast<int64_t>(kOpenH264Bits_per_px * c.width * c.height * options.frame_rate);
  }
}

}  // namespace

Result<H264Encoder> H264Encoder::open(const PictureFormat& format, const H264Options& options) {
  av::silence_library_log();
  if (format.width <= 0 || format.height <= 0 || format.width % 2 != 0 || format.height % 2 != 0)
    return fail(ErrorKind::unsupported, "H.264 4:2:0 needs an even width and height, not " +
                                            std::to_string(format.width) + "x" +
                                            std::to_string(format.height));
  if (!(options.frame_rate > 0) || options.frame_rate > 10000 || options.crf < 0 || options.crf > 51 ||
      options.gop_frames < 1 || options.b_frames < 0)
    return fail(ErrorKind::invalid_argument, "these encoder settings are out of range", {},
                "Rate 0 to 10000, crf 0 to 51, GOP at least 1, B-frames at least 0");
  H264Encoder encoder;
  encoder.format_ = format;
  if (!options.any_encoder) {
    VANTAGE_TRY(encoder.start("libx264", options));
    return encoder;
  }
  std::string refused;
  for (const char* name : {"h264_nvenc", "libx264", "libopenh264"}) {
    const Status started = encoder.start(name, options);
    if (started) return encoder;
    refused += (refused.empty() ? "" : "; ") + started.error().what;
  }
  return fail(ErrorKind::unsupported, "no H.264 encoder starts (" + refused + ")", {},
              "Install FFmpeg with libx264 or OpenH264");
}

std::string H264Encoder::name() const {
  return context_->codec->name;
}

Status H264Encoder::start(const char* name, const H264Options& options) {
  const AVCodec* codec = avcodec_find_encoder_by_name(name);
  if (!codec)
    return fail(ErrorKind::unsupported, std::string("this FFmpeg has no H.264 encoder (") + name + ")", {},
                std::string("Install FFmpeg with ") + name);
  context_.reset(avcodec_alloc_context3(codec));
  frame_ = av::make_frame();
  packet_ = av::make_packet();
  if (!context_ || !frame_ || !packet_) return fail(ErrorKind::out_of_memory, "not enough memory to encode");
  AVCodecContext& c = *context_;
  c.width = format_.width;
  c.height = format_.height;
  c.pix_fmt = format_.layout == PictureLayout::nv12 ? AV_PIX_FMT_NV12 : AV_PIX_FMT_YUV420P;
  c.color_range = format_.range == ColorRange::full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  c.colorspace = color_space(format_.matrix);
  c.framerate = av_d2q(options.frame_rate, kRateDenominator);
  c.time_base = av_inv_q(c.framerate);
  c.gop_size = options.gop_frames;
  c.max_b_frames = options.b_frames;
  c.thread_count = kEncoderThreads;
  c.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT;
  set_up(c, name, options);
  if (const int code = avcodec_open2(&c, codec, nullptr); code < 0)
    return fail(ErrorKind::io, "the encoder does not start: " + av::error_text(code));
  return {};
}

int H264Encoder::encode(const Picture* picture, int64_t tick, const std::function<int(AVPacket&)>& take) {
  if (picture) {
    AVFrame& frame = *frame_;
    frame.format = context_->pix_fmt;
    frame.width = format_.width;
    frame.height = format_.height;
    frame.color_range = context_->color_range;
    frame.colorspace = context_->colorspace;
    frame.pts = tick;
    for (int p = 0; p < picture->plane_count(); ++p) {
      const ImageView<const uint8_t> plane = picture->plane(p);
      frame.data[p] = const_cast<uint8_t*>(plane.data);  // the encoder copies what it keeps
      frame.linesize[p] = static_cast<int>(plane.stride_bytes);
    }
  }
  int code = avcodec_send_frame(context_.get(), picture ? frame_.get() : nullptr);
  while (code >= 0) {
    code = avcodec_receive_packet(context_.get(), packet_.get());
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return 0;
    if (code >= 0) code = take(*packet_);
  }
  return code;
}

}  // namespace vantage
