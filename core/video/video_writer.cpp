#include "core/video/video_writer.h"

#include <unistd.h>

#include <optional>
#include <string>

#include "core/base/file.h"
#include "core/video/audio.h"
#include "core/video/av_handles.h"
#include "core/video/stream_encoder.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

namespace vantage {
namespace {

class H264Writer final : public VideoWriter {
 public:
  H264Writer(std::filesystem::path path, const PictureFormat& format, const VideoWriterOptions& options)
      : path_(std::move(path)), format_(format), options_(options) {
    temporary_ = path_;
    temporary_ += ".partial-" + std::to_string(::getpid());
  }
  ~H264Writer() override {
    muxer_.reset();
    std::error_code ignored;
    if (created_ && !finished_) std::filesystem::remove(temporary_, ignored);
  }

  Status open();
  Status write(const Picture& picture) override;
  Status finish() override;
  std::string encoder() const override { return encoder_->name(); }
  const std::string& sound() const override { return sound_text_; }

 private:
  Status open_muxer();
  Status add_sound();
  // The sound that is heard before the picture of that tick.
  int copy_sound(int64_t tick);
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
  std::optional<H264Encoder> encoder_;
  std::unique_ptr<SoundPackets> sound_;  // null: none, or all is copied
  av::Owned<AVPacket> sound_packet_;     // the next one, not written yet
  AVStream* sound_stream_ = nullptr;
  AVRational sound_base_ = {1, 1};
  std::string sound_text_;
};

Error H264Writer::write_error(int code) const {
  std::string remedy = "Check the folder and the disk";
  if (code == AVERROR(ENOSPC) || code == AVERROR(EFBIG) || code == AVERROR(EDQUOT))
    remedy = "Free some space on the disk";
  if (code == AVERROR(EACCES) || code == AVERROR(EPERM) || code == AVERROR(EROFS))
    remedy = "Choose a folder that you can write to";
  if (code == AVERROR(ENOENT)) remedy = "Create the folder first";
  return {ErrorKind::io, "the video cannot be written: " + av::error_text(code), path_.string(), remedy};
}

Status H264Writer::open() {
  Result<H264Encoder> encoder =
      H264Encoder::open(format_, {options_.frame_rate, options_.crf, options_.gop_frames, options_.b_frames,
                                  false, options_.any_encoder});
  if (!encoder) {
    Error error = encoder.error();
    error.where = path_.string();
    return fail(std::move(error));
  }
  encoder_.emplace(std::move(*encoder));
  return open_muxer();
}

Status H264Writer::open_muxer() {
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
  if (!options_.sound.file.empty()) VANTAGE_TRY(add_sound());
  code = avio_open(&muxer->pb, ("file:" + temporary_.string()).c_str(), AVIO_FLAG_WRITE);
  if (code < 0) return fail(write_error(code));
  created_ = true;
  code = avformat_write_header(muxer, nullptr);
  if (code < 0) return fail(write_error(code));
  return {};
}

Status H264Writer::add_sound() {
  Result<std::unique_ptr<SoundPackets>> opened =
      SoundPackets::open(options_.sound.file, options_.sound.from_s, options_.sound.to_s);
  if (!opened) {
    sound_text_ = "left out: " + opened.error().what;
    return {};
  }
  if (!*opened) {
    sound_text_ = "none in the file";
    return {};
  }
  const AVCodecParameters& parameters = (*opened)->parameters();
  const std::string codec = avcodec_get_name(parameters.codec_id);
  if (avformat_query_codec(muxer_->oformat, parameters.codec_id, FF_COMPLIANCE_NORMAL) != 1) {
    sound_text_ = "left out: " + codec + ", which this container does not hold";
    return {};
  }
  sound_packet_ = av::make_packet();
  sound_stream_ = avformat_new_stream(muxer_.get(), nullptr);
  if (!sound_stream_ || !sound_packet_ || avcodec_parameters_copy(sound_stream_->codecpar, &parameters) < 0)
    return fail(ErrorKind::out_of_memory, "not enough memory to copy the sound", path_.string());
  sound_stream_->codecpar->codec_tag = 0;
  sound_base_ = {(*opened)->time_base().first, (*opened)->time_base().second};
  sound_stream_->time_base = sound_base_;
  sound_ = std::move(*opened);
  sound_text_ = codec + ", copied";
  return {};
}

int H264Writer::copy_sound(int64_t tick) {
  while (sound_) {
    if (!sound_packet_->data) {
      const Result<bool> read = sound_->read(*sound_packet_);
      if (!read || !*read) {
        if (!read) sound_text_ += "; it breaks off: " + read.error().what;
        sound_.reset();
        return 0;
      }
    }
    if (av_compare_ts(sound_packet_->pts, sound_base_, tick, encoder_->context().time_base) > 0) return 0;
    av_packet_rescale_ts(sound_packet_.get(), sound_base_, sound_stream_->time_base);
    sound_packet_->stream_index = sound_stream_->index;
    sound_packet_->pos = -1;
    const int written = av_interleaved_write_frame(muxer_.get(), sound_packet_.get());
    av_packet_unref(sound_packet_.get());
    if (written < 0) return written;
  }
  return 0;
}

Status H264Writer::write(const Picture& picture) {
  if (error_) return fail(*error_);
  if (finished_) return fail(ErrorKind::invalid_argument, "the video is finished already", path_.string());
  if (!picture || picture.place().kind != MemoryKind::host || picture.format() != format_)
    return fail(ErrorKind::invalid_argument,
                "the picture does not have the format this video was opened with", path_.string());
  return encode(&picture);
}

// Null: what the encoder still holds.
Status H264Writer::encode(const Picture* picture) {
  int code = copy_sound(frames_);
  if (code < 0) {
    error_ = write_error(code);
    return fail(*error_);
  }
  code = encoder_->encode(picture, frames_++, [this](AVPacket& packet) {
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

Status H264Writer::finish() {
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

Status H264Writer::put_in_place() {
  std::error_code code = sync_file(temporary_);
  if (!code) code = rename_durably(temporary_, path_);
  if (code) return fail(write_error(AVERROR(code.value())));
  finished_ = true;
  return {};
}

}  // namespace

Result<std::unique_ptr<VideoWriter>> VideoWriter::open(const std::filesystem::path& path,
                                                       const PictureFormat& format,
                                                       const VideoWriterOptions& options) {
  auto writer = std::make_unique<H264Writer>(path, format, options);
  VANTAGE_TRY(writer->open());
  return writer;
}

}  // namespace vantage
