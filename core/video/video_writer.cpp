#include "core/video/video_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>

#include "core/video/av_handles.h"
#include "core/video/detail/x264_encoder.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

namespace vantage {
namespace {

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
  Status open_muxer();
  Status encode(const Picture* picture);
  Status put_in_place();
  Error write_error(int code) const;

  const std::filesystem::path path_;
  std::filesystem::path temporary_;
  const PictureFormat format_;
  const VideoWriterOptions options_;
  bool created_ = false, finished_ = false;
  std::optional<Error> error_;  // the first; nothing is written after it
  int64_t frames_ = 0;
  av::OwnedMuxer muxer_;
  AVStream* stream_ = nullptr;
  std::optional<X264Encoder> encoder_;
};

Error X264Writer::write_error(int code) const {
  std::string remedy = "Check the folder and the disk";
  if (code == AVERROR(ENOSPC) || code == AVERROR(EFBIG) || code == AVERROR(EDQUOT))
    remedy = "Free some space on the disk";
  if (code == AVERROR(EACCES) || code == AVERROR(EPERM) || code == AVERROR(EROFS))
    remedy = "Choose a folder that you can write to";
  if (code == AVERROR(ENOENT)) remedy = "Create the folder first";
  return {ErrorKind::io, "the video cannot be written: " + av::error_text(code), path_.string(), remedy};
}

Status X264Writer::open() {
  Result<X264Encoder> encoder =
      X264Encoder::open(format_, {options_.frame_rate, options_.crf, options_.gop_frames, options_.b_frames});
  if (!encoder) {
    Error error = encoder.error();
    error.where = path_.string();
    return fail(std::move(error));
  }
  encoder_.emplace(std::move(*encoder));
  return open_muxer();
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
  avcodec_parameters_from_context(stream_->codecpar, &encoder_->context());
  stream_->time_base = encoder_->context().time_base;
  stream_->avg_frame_rate = encoder_->context().framerate;
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
    return fail(ErrorKind::invalid_argument,
                "the picture does not have the format this video was opened with", path_.string());
  return encode(&picture);
}

// Null: what the encoder still holds.
Status X264Writer::encode(const Picture* picture) {
  const int code = encoder_->encode(picture, frames_++, [this](AVPacket& packet) {
    packet.stream_index = stream_->index;
    packet.duration = 1;
    av_packet_rescale_ts(&packet, encoder_->context().time_base, stream_->time_base);
    const int written = av_interleaved_write_frame(muxer_.get(), &packet);
    return written >= 0 && muxer_->pb->error < 0 ? muxer_->pb->error : written;
  });
  if (code >= 0) return {};
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
