#include "core/video/packet_digests.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/mem.h>
}

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/video/av_handles.h"

namespace vantage {
namespace {

constexpr int kMaxErrorsInARow = 1000;  // damaged spots that a demuxer may stumble over

// A part of an open file, behind bytes in memory, as a file of FFmpeg's.
class PartFile {
 public:
  PartFile(const std::string& head, int file, int64_t begin, int64_t end)
      : head_(head), file_(file), at_(begin), end_(end) {
    constexpr int kBuffer = 1 << 16;
    auto* buffer = static_cast<unsigned char*>(av_malloc(kBuffer));
    context_ = buffer ? avio_alloc_context(buffer, kBuffer, 0, this, &read, nullptr, nullptr) : nullptr;
    if (!context_) av_free(buffer);
  }
  ~PartFile() {
    if (context_) av_freep(&context_->buffer);
    avio_context_free(&context_);
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  AVIOContext* context() { return context_; }

 private:
  static int read(void* self, uint8_t* to, int size) {
    auto& part = *static_cast<PartFile*>(self);
    if (part.head_at_ < part.head_.size()) {
      const size_t count = std::min(static_cast<size_t>(size), part.head_.size() - part.head_at_);
      std::memcpy(to, part.head_.data() + part.head_at_, count);
      part.head_at_ += count;
      return static_cast<int>(count);
    }
    const int64_t wanted = std::min<int64_t>(size, part.end_ - part.at_);
    const ssize_t count = wanted > 0 ? ::pread(part.file_, to, static_cast<size_t>(wanted), part.at_) : 0;
    if (count < 0) return AVERROR(errno);
    if (count == 0) return AVERROR_EOF;
    part.at_ += count;
    return static_cast<int>(count);
  }

  const std::string& head_;
  const int file_;
  size_t head_at_ = 0;
  int64_t at_;
  const int64_t end_;
  AVIOContext* context_ = nullptr;
};

DigestedStream stream_of(const AVStream& stream) {
  const AVCodecParameters& parameters = *stream.codecpar;
  const char* kind = av_get_media_type_string(parameters.codec_type);
  DigestedStream one;
  one.kind = kind ? kind : "other", one.codec = avcodec_get_name(parameters.codec_id);
  one.width_px = parameters.width, one.height_px = parameters.height;
  one.sample_rate = parameters.sample_rate;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
  one.channels = parameters.ch_layout.nb_channels;
#else
  one.channels = parameters.channels;
#endif
  one.tick_num = stream.time_base.num, one.tick_den = std::max(1, stream.time_base.den);
  one.extradata_sha256 = sha256({reinterpret_cast<const char*>(parameters.extradata),
                                 static_cast<size_t>(std::max(0, parameters.extradata_size))});
  return one;
}

class FileDigests final : public PacketDigests {
 public:
  FileDigests(std::string shown, const StopSource& stop) : shown_(std::move(shown)), stop_(stop) {}

  // `part`: instead of the file.
  Status open(std::unique_ptr<PartFile> part, const std::string& url) {
    av::silence_library_log();
    part_ = std::move(part);
    packet_ = av::make_packet();
    AVFormatContext* format = avformat_alloc_context();
    if (!format || !packet_ || (part_ && !part_->context()))
      return fail(ErrorKind::out_of_memory, "not enough memory to open it", shown_);
    if (part_) format->pb = part_->context();
    AVDictionary* options = nullptr;
    av_dict_set(&options, "protocol_whitelist", "file", 0);  // a file never makes us open another address
    const int opened = avformat_open_input(&format, url.c_str(),
                                           part_ ? av_find_input_format("matroska") : nullptr, &options);
    av_dict_free(&options);
    if (opened < 0) return broken(opened);
    format_.reset(format);
    // What a container's head states is the same while it is written; others are examined.
    note_streams();
    const bool stated = std::any_of(streams_.begin(), streams_.end(),
                                    [](const DigestedStream& one) { return one.width_px > 0; });
    if (!part_)
      if (const int found = avformat_find_stream_info(format, nullptr); found < 0) return broken(found);
    if (!stated || streams_.size() != format->nb_streams) note_streams();
    video_ = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
    if (video_ < 0) return fail(ErrorKind::bad_data, "holds no video", shown_, "Choose one that does.");
    return {};
  }

  Result<bool> next(PacketDigest* packet) override {
    for (int errors = 0; errors < kMaxErrorsInARow; ++errors) {
      if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "reading was stopped", shown_);
      av_packet_unref(packet_.get());
      const int code = av_read_frame(format_.get(), packet_.get());
      if (code == AVERROR_EOF) return false;
      if (code == AVERROR(ENOMEM))
        return fail(ErrorKind::out_of_memory, "not enough memory to read on", shown_);
      if (code < 0) continue;
      packet->stream = packet_->stream_index;
      packet->time =
          packet_->pts == AV_NOPTS_VALUE ? std::optional<int64_t>() : std::optional<int64_t>(packet_->pts);
      packet->bytes = packet_->size;
      sum_.add({reinterpret_cast<const char*>(packet_->data), static_cast<size_t>(packet_->size)});
      packet->sha256 = sum_.finish();
      packet->picture = packet->stream == video_;
      packet->key = packet->picture && (packet_->flags & AV_PKT_FLAG_KEY) != 0;
      return true;
    }
    return false;
  }
  const std::vector<DigestedStream>& streams() const override { return streams_; }
  int video() const override { return video_; }

 private:
  void note_streams() {
    streams_.clear();
    for (unsigned i = 0; i < format_->nb_streams; ++i) streams_.push_back(stream_of(*format_->streams[i]));
  }

  Status broken(int code) const {
    return fail(ErrorKind::bad_data, "is not a video that can be opened (" + av::error_text(code) + ")",
                shown_, "Check that it plays elsewhere.");
  }

  const std::string shown_;
  const StopSource stop_;
  std::unique_ptr<PartFile> part_;  // outlives the demuxer
  av::Owned<AVFormatContext> format_;
  av::Owned<AVPacket> packet_;
  std::vector<DigestedStream> streams_;
  int video_ = -1;
  Sha256 sum_;
};

}  // namespace

std::string content_line_of(const PacketDigest& packet) {
  return std::to_string(packet.bytes) + ",SHA256:" + hex_of(packet.sha256) + "\n";
}

std::string line_of(const PacketDigest& packet) {
  return std::to_string(packet.stream) + "," + (packet.time ? std::to_string(*packet.time) : "N/A") + "," +
         content_line_of(packet);
}

Result<std::unique_ptr<PacketDigests>> PacketDigests::open(const std::filesystem::path& file,
                                                           const StopSource& stop) {
  std::error_code none;
  if (!std::filesystem::exists(file, none))
    return fail(ErrorKind::not_found, "there is no such file", file.string(), "Check the path.");
  auto digests = std::make_unique<FileDigests>(file.string(), stop);
  VANTAGE_TRY(digests->open(nullptr, "file:" + file.string()));
  return digests;
}

Result<std::unique_ptr<PacketDigests>> PacketDigests::open_part(const std::string& head, int file,
                                                                int64_t begin, int64_t end) {
  auto digests = std::make_unique<FileDigests>("the recording", StopSource());
  VANTAGE_TRY(digests->open(std::make_unique<PartFile>(head, file, begin, end), ""));
  return digests;
}

}  // namespace vantage
