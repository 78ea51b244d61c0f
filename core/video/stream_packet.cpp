#include "core/video/stream_packet.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/parseutils.h>
}

#include <cerrno>
#include <cmath>
#include <vector>

#include "core/video/av_handles.h"

namespace vantage {
namespace {

constexpr double kRounding_s = 1e-3;  // of containers' times

Result<av::Owned<AVFormatContext>> open_file(const std::string& path) {
  av::silence_library_log();
  AVFormatContext* opened = nullptr;
  AVDictionary* options = nullptr;
  av_dict_set(&options, "protocol_whitelist", "file", 0);
  const int code = avformat_open_input(&opened, ("file:" + path).c_str(), nullptr, &options);
  av_dict_free(&options);
  if (code < 0)
    return fail(ErrorKind::bad_data, "cannot be opened (" + av::error_text(code) + ")", path,
                "Packets are copied from video files alone.");
  av::Owned<AVFormatContext> format(opened);
  if (const int found = avformat_find_stream_info(opened, nullptr); found < 0)
    return fail(ErrorKind::bad_data, "cannot be read (" + av::error_text(found) + ")", path);
  return format;
}

class PacketCopy {
 public:
  PacketCopy(av::Owned<AVFormatContext> from, std::filesystem::path to)
      : from_(std::move(from)), to_(std::move(to)), packet_(av::make_packet()) {}
  ~PacketCopy() {
    muxer_.reset();
    std::error_code ignored;
    if (!finished_) std::filesystem::remove(to_, ignored);
  }

  Status open();
  Result<CopiedPackets> copy(double from_s, double to_s, const StopSource& stop);

 private:
  tl::unexpected<Error> write_error(int code) const {
    return fail(ErrorKind::io, "the packets cannot be written: " + av::error_text(code), to_.string(),
                code == AVERROR(ENOSPC) || code == AVERROR(EFBIG) || code == AVERROR(EDQUOT)
                    ? "The disk is full: free some space or choose another folder."
                    : "Check the folder and its permissions.");
  }
  const AVStream& video() const { return *from_->streams[video_]; }
  // Time of the packet at hand, from the file's first picture.
  double seconds(int64_t ticks) const {
    const int64_t start = video().start_time == AV_NOPTS_VALUE ? 0 : video().start_time;
    return static_cast<double>(ticks) * av_q2d(from_->streams[packet_->stream_index]->time_base) -
           static_cast<double>(start) * av_q2d(video().time_base);
  }
  Status write(double begin_s);
  Status finish();

  av::Owned<AVFormatContext> from_;
  const std::filesystem::path to_;
  av::Owned<AVPacket> packet_;
  av::OwnedMuxer muxer_;
  std::vector<int> streams_;  // by the source's; -1: left out
  int video_ = -1;
  bool finished_ = false;
};

Status PacketCopy::open() {
  video_ = av_find_best_stream(from_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  AVFormatContext* muxer = nullptr;
  if (video_ < 0) return fail(ErrorKind::bad_data, "holds no video", from_->url);
  if (!packet_ || avformat_alloc_output_context2(&muxer, nullptr, "matroska", nullptr) < 0)
    return fail(ErrorKind::out_of_memory, "not enough memory to copy packets", to_.string());
  muxer_.reset(muxer);
  muxer->flags |= AVFMT_FLAG_BITEXACT;
  streams_.assign(from_->nb_streams, -1);
  const int sound = av_find_best_stream(from_.get(), AVMEDIA_TYPE_AUDIO, -1, video_, nullptr, 0);
  for (const int index : {video_, sound}) {
    if (index < 0) continue;
    const AVStream& source = *from_->streams[index];
    AVStream* made = avformat_new_stream(muxer, nullptr);
    if (!made || avcodec_parameters_copy(made->codecpar, source.codecpar) < 0)
      return fail(ErrorKind::out_of_memory, "not enough memory to copy packets", to_.string());
    made->codecpar->codec_tag = 0;
    made->time_base = source.time_base;
    made->avg_frame_rate = source.avg_frame_rate;
    streams_[index] = made->index;
  }
  const int code = avio_open(&muxer->pb, ("file:" + to_.string()).c_str(), AVIO_FLAG_WRITE);
  if (code < 0) return write_error(code);
  const int header = avformat_write_header(muxer, nullptr);
  if (header == AVERROR(EINVAL) || header == AVERROR_PATCHWELCOME)
    return fail(ErrorKind::unsupported,
                std::string("Matroska does not hold ") + avcodec_get_name(video().codecpar->codec_id),
                from_->url, "Export without the originals.");
  return header < 0 ? Status(write_error(header)) : Status();
}

// Times in the copy count from its begin.
Status PacketCopy::write(double begin_s) {
  const AVStream& source = *from_->streams[packet_->stream_index];
  const int64_t start = video().start_time == AV_NOPTS_VALUE ? 0 : video().start_time;
  const double zero_s = begin_s + static_cast<double>(start) * av_q2d(video().time_base);
  const auto zero = static_cast<int64_t>(std::llround(zero_s / av_q2d(source.time_base)));
  if (packet_->pts != AV_NOPTS_VALUE) packet_->pts -= zero;
  if (packet_->dts != AV_NOPTS_VALUE) packet_->dts -= zero;
  const int target = streams_[packet_->stream_index];
  av_packet_rescale_ts(packet_.get(), source.time_base, muxer_->streams[target]->time_base);
  packet_->stream_index = target;
  packet_->pos = -1;
  const int code = av_interleaved_write_frame(muxer_.get(), packet_.get());
  if (code < 0) return write_error(code);
  return muxer_->pb->error < 0 ? Status(write_error(muxer_->pb->error)) : Status();
}

Status PacketCopy::finish() {
  int code = av_write_trailer(muxer_.get());
  if (code >= 0) {
    avio_flush(muxer_->pb);
    code = muxer_->pb->error;
  }
  const int closed = avio_closep(&muxer_->pb);
  if (code < 0 || closed < 0) return write_error(code < 0 ? code : closed);
  finished_ = true;
  return {};
}

Result<CopiedPackets> PacketCopy::copy(double from_s, double to_s, const StopSource& stop) {
  const int64_t start = video().start_time == AV_NOPTS_VALUE ? 0 : video().start_time;
  const auto target = start + static_cast<int64_t>(std::floor(from_s / av_q2d(video().time_base)));
  const int sought = av_seek_frame(from_.get(), video_, std::max(target, start), AVSEEK_FLAG_BACKWARD);
  if (sought < 0)
    return fail(ErrorKind::unsupported, "the file cannot be read from " + std::to_string(from_s) + " s on",
                from_->url, "Export without the originals.");
  CopiedPackets copied;
  for (;;) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    av_packet_unref(packet_.get());
    const int code = av_read_frame(from_.get(), packet_.get());
    if (code == AVERROR_EOF) break;
    if (code < 0)
      return fail(ErrorKind::io, "reading failed: " + av::error_text(code), from_->url,
                  "Check the file and the disk.");
    if (streams_[packet_->stream_index] < 0) continue;
    const double at_s = seconds(packet_->pts == AV_NOPTS_VALUE ? packet_->dts : packet_->pts);
    if (packet_->stream_index == video_) {
      if (copied.pictures == 0) {
        if ((packet_->flags & AV_PKT_FLAG_KEY) == 0) continue;
        copied.first_s = at_s;
        copied.whole_stretch = at_s <= from_s + kRounding_s;
      }
      // Behind it nothing is shown earlier; what is decoded before may be needed, even if it is shown later.
      if (seconds(packet_->dts == AV_NOPTS_VALUE ? packet_->pts : packet_->dts) >= to_s - kRounding_s) break;
      ++copied.pictures;
    } else if (copied.pictures == 0 || at_s < copied.first_s || at_s >= to_s) {
      continue;
    }
    VANTAGE_TRY(write(copied.first_s));
  }
  VANTAGE_TRY(finish());
  return copied;
}

}  // namespace

Result<CopiedPackets> copy_packets(const std::string& from, double from_s, double to_s,
                                   const std::filesystem::path& to, const StopSource& stop) {
  VANTAGE_ASSIGN(av::Owned<AVFormatContext> source, open_file(from));
  PacketCopy copy(std::move(source), to);
  VANTAGE_TRY(copy.open());
  return copy.copy(from_s, to_s, stop);
}

Result<double> container_start_utc_s(const std::string& file) {
  VANTAGE_ASSIGN(const av::Owned<AVFormatContext> format, open_file(file));
  for (const char* key : {"com.apple.quicktime.creationdate", "creation_time"}) {
    const AVDictionaryEntry* entry = av_dict_get(format->metadata, key, nullptr, 0);
    int64_t micros = 0;
    if (entry && av_parse_time(&micros, entry->value, 0) >= 0 && micros > 0)
      return static_cast<double>(micros) * 1e-6;
  }
  return 0.0;
}

}  // namespace vantage
