#include "core/video/video_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>

#include "core/video/av_handles.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
}

namespace vantage {
namespace {

constexpr int kEncoderThreads = 2;       // fixed: x264's output depends on it
constexpr int kRateDenominator = 90000;  // frame rates are kept to that precision

struct MuxerFree {
  void operator()(AVFormatContext* context) const {
    if (context->pb) avio_closep(&context->pb);
    avformat_free_context(context);
  }
};

class X264Writer final : public VideoWriter {
 public:
  X264Writer(std::filesystem::path path, const PictureFormat& format, const VideoWriterOptions& options)
      : path_(std::move(path)), format_(format), options_(options) {
    temporary_ = path_;
    temporary_ += ".partial-" + std::to_string(::getpid());
  }
  ~X264Writer() override {
    muxer_.reset();
    std::error_code ignored;
    if (created_ && !finished_) std::filesystem::remove(temporary_, ignored);
  }

  Status open();
  Status write(const Picture& picture) override;
  Status finish() override;

 private:
  Status open_encoder();
  Status open_muxer();
  Status encode(const AVFrame* frame);
  Status put_in_place();
  Error write_error(int code) const;

  const std::filesystem::path path_;
  std::filesystem::path temporary_;
  const PictureFormat format_;
  const VideoWriterOptions options_;
  bool created_ = false, finished_ = false;
  std::optional<Error> error_;  // the first; nothing is written after it
  int64_t frames_ = 0;
  std::unique_ptr<AVFormatContext, MuxerFree> muxer_;
  AVStream* stream_ = nullptr;
  av::Owned<AVCodecContext> encoder_;
  av::Owned<AVFrame> frame_;
  av::Owned<AVPacket> packet_;
};

Error X264Writer::write_error(int code) const {
  std::string remedy = "Check the folder and the disk";
  if (code == AVERROR(ENOSPC) || code == AVERROR(EFBIG) || code == AVERROR(EDQUOT))
    remedy = "Free space on the disk";
  if (code == AVERROR(EACCES) || code == AVERROR(EPERM) || code == AVERROR(EROFS))
    remedy = "Choose a folder that you may write to";
  if (code == AVERROR(ENOENT)) remedy = "Create the folder first";
  return {ErrorKind::io, "the video cannot be written: " + av::error_text(code), path_.string(), remedy};
}

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

Status X264Writer::open() {
  av::silence_library_log();
  if (format_.width <= 0 || format_.height <= 0 || format_.width % 2 != 0 || format_.height % 2 != 0)
    return fail(ErrorKind::unsupported,
                "H.264 4:2:0 needs an even width and height, not " + std::to_string(format_.width) + "x" +
                    std::to_string(format_.height),
                path_.string());
  if (!(options_.frame_rate > 0) || options_.frame_rate > 10000 || options_.crf < 0 || options_.crf > 51 ||
      options_.gop_frames < 1 || options_.b_frames < 0)
    return fail(ErrorKind::invalid_argument, "these encoder settings are out of range", path_.string(),
                "Rate 0 to 10000, crf 0 to 51, GOP at least 1, B-frames at least 0");
  VANTAGE_TRY(open_encoder());
  return open_muxer();
}

Status X264Writer::open_encoder() {
  const AVCodec* codec = avcodec_find_encoder_by_name("libx264");
  if (!codec)
    return fail(ErrorKind::unsupported, "this FFmpeg has no H.264 encoder (libx264)", path_.string(),
                "Install FFmpeg with libx264");
  encoder_.reset(avcodec_alloc_context3(codec));
  frame_ = av::make_frame();
  packet_ = av::make_packet();
  if (!encoder_ || !frame_ || !packet_) return fail(ErrorKind::out_of_memory, "not enough memory to encode");
  AVCodecContext& c = *encoder_;
  c.width = format_.width;
  c.height = format_.height;
  c.pix_fmt = format_.layout == PictureLayout::nv12 ? AV_PIX_FMT_NV12 : AV_PIX_FMT_YUV420P;
  c.color_range = format_.range == ColorRange::full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  c.colorspace = color_space(format_.matrix);
  c.framerate = av_d2q(options_.frame_rate, kRateDenominator);
  c.time_base = av_inv_q(c.framerate);
  c.gop_size = options_.gop_frames;
  c.max_b_frames = options_.b_frames;
  c.thread_count = kEncoderThreads;
  c.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT;
  av_opt_set(c.priv_data, "preset", "veryfast", 0);
  // x264's macroblock tree reads memory it never wrote when the width is no multiple of 64: the same pictures
  // would not always give the same file.
  av_opt_set(c.priv_data, "x264-params", "mbtree=0", 0);
  av_opt_set_int(c.priv_data, "crf", options_.crf, 0);
  const int code = avcodec_open2(&c, codec, nullptr);
  if (code < 0)
    return fail(ErrorKind::io, "the encoder does not start: " + av::error_text(code), path_.string());
  return {};
}

Status X264Writer::open_muxer() {
  AVFormatContext* muxer = nullptr;
  const AVOutputFormat* container = av_guess_format(nullptr, path_.filename().c_str(), nullptr);
  if (!container || container->video_codec == AV_CODEC_ID_NONE)
    return fail(ErrorKind::invalid_argument, "the file name's extension names no video container",
                path_.string(), "Use .mp4, .mkv or .avi");
  int code = avformat_alloc_output_context2(&muxer, container, nullptr, nullptr);
  if (code < 0) return fail(write_error(code));
  muxer_.reset(muxer);
  muxer->flags |= AVFMT_FLAG_BITEXACT;
  stream_ = avformat_new_stream(muxer, nullptr);
  if (!stream_) return fail(ErrorKind::out_of_memory, "not enough memory to encode");
  avcodec_parameters_from_context(stream_->codecpar, encoder_.get());
  stream_->time_base = encoder_->time_base;
  stream_->avg_frame_rate = encoder_->framerate;
  code = avio_open(&muxer->pb, ("file:" + temporary_.string()).c_str(), AVIO_FLAG_WRITE);
  if (code < 0) return fail(write_error(code));
  created_ = true;
  code = avformat_write_header(muxer, nullptr);
  if (code < 0) return fail(write_error(code));
  return {};
}

Status X264Writer::write(const Picture& picture) {
  if (error_) return fail(*error_);
  if (finished_) return fail(ErrorKind::invalid_argument, "the video is finished already", path_.string());
  if (!picture || picture.place().kind != MemoryKind::host || picture.format() != format_)
    return fail(ErrorKind::invalid_argument, "the picture has not the format this video was opened with",
                path_.string());
  AVFrame& frame = *frame_;
  frame.format = encoder_->pix_fmt;
  frame.width = format_.width;
  frame.height = format_.height;
  frame.color_range = encoder_->color_range;
  frame.colorspace = encoder_->colorspace;
  frame.pts = frames_++;
  for (int p = 0; p < picture.plane_count(); ++p) {
    const ImageView<const uint8_t> plane = picture.plane(p);
    frame.data[p] = const_cast<uint8_t*>(plane.data);  // the encoder copies what it keeps
    frame.linesize[p] = static_cast<int>(plane.stride_bytes);
  }
  return encode(&frame);
}

Status X264Writer::encode(const AVFrame* frame) {
  int code = avcodec_send_frame(encoder_.get(), frame);
  while (code >= 0) {
    code = avcodec_receive_packet(encoder_.get(), packet_.get());
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return {};
    if (code < 0) break;
    packet_->stream_index = stream_->index;
    packet_->duration = 1;
    av_packet_rescale_ts(packet_.get(), encoder_->time_base, stream_->time_base);
    code = av_interleaved_write_frame(muxer_.get(), packet_.get());
    if (code >= 0 && muxer_->pb->error < 0) code = muxer_->pb->error;
  }
  error_ = write_error(code);
  return fail(*error_);
}

Status X264Writer::finish() {
  if (finished_) return {};
  if (error_) return fail(*error_);
  VANTAGE_TRY(encode(nullptr));
  int code = av_write_trailer(muxer_.get());
  if (code >= 0) {
    avio_flush(muxer_->pb);
    code = muxer_->pb->error;
  }
  const int closed = avio_closep(&muxer_->pb);
  if (code >= 0) code = closed;
  if (code < 0) {
    error_ = write_error(code);
    return fail(*error_);
  }
  return put_in_place();
}

Status X264Writer::put_in_place() {
  const int file = ::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && ::fsync(file) == 0;
  const int sync_errno = errno;
  if (file >= 0) ::close(file);
  if (!synced) return fail(write_error(AVERROR(sync_errno)));
  std::error_code code;
  std::filesystem::rename(temporary_, path_, code);
  if (code) return fail(write_error(AVERROR(code.value())));
  finished_ = true;
  return {};
}

}  // namespace

Result<std::unique_ptr<VideoWriter>> VideoWriter::open(const std::filesystem::path& path,
                                                       const PictureFormat& format,
                                                       const VideoWriterOptions& options) {
  auto writer = std::make_unique<X264Writer>(path, format, options);
  VANTAGE_TRY(writer->open());
  return writer;
}

}  // namespace vantage
