#include "core/video/detail/sound_packets.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <cmath>

namespace vantage {
namespace {

tl::unexpected<Error> broken(const std::string& file, int code) {
  return fail(ErrorKind::bad_data, "the sound cannot be read (" + av::error_text(code) + ")", file,
              "The pictures may be fine: continue without the sound.");
}

}  // namespace

Result<std::unique_ptr<SoundPackets>> SoundPackets::open(const std::string& file, double from_s,
                                                         double to_s) {
  av::silence_library_log();
  AVFormatContext* opened = nullptr;
  if (const int code = avformat_open_input(&opened, ("file:" + file).c_str(), nullptr, nullptr); code < 0)
    return broken(file, code);
  std::unique_ptr<SoundPackets> sound(new SoundPackets);
  sound->file_ = file;
  sound->format_.reset(opened);
  if (const int code = avformat_find_stream_info(opened, nullptr); code < 0) return broken(file, code);
  sound->stream_ = av_find_best_stream(opened, AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
  if (sound->stream_ < 0) return std::unique_ptr<SoundPackets>();
  const AVStream& stream = *opened->streams[sound->stream_];
  double first_picture_s = 0;
  const int video = av_find_best_stream(opened, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (video >= 0 && opened->streams[video]->start_time != AV_NOPTS_VALUE)
    first_picture_s =
        static_cast<double>(opened->streams[video]->start_time) * av_q2d(opened->streams[video]->time_base);
  const auto ticks = [&](double seconds) {
    return static_cast<int64_t>(std::llround((first_picture_s + seconds) / av_q2d(stream.time_base)));
  };
  sound->begin_ = ticks(from_s), sound->end_ = ticks(to_s);
  for (unsigned i = 0; i < opened->nb_streams; ++i)
    if (static_cast<int>(i) != sound->stream_) opened->streams[i]->discard = AVDISCARD_ALL;
  if (from_s > 0)
    if (const int code = av_seek_frame(opened, sound->stream_, sound->begin_, AVSEEK_FLAG_BACKWARD); code < 0)
      return broken(file, code);
  return sound;
}

const AVCodecParameters& SoundPackets::parameters() const {
  return *format_->streams[stream_]->codecpar;
}

std::pair<int, int> SoundPackets::time_base() const {
  const AVRational base = format_->streams[stream_]->time_base;
  return {base.num, base.den};
}

Result<bool> SoundPackets::read(AVPacket& packet) {
  for (;;) {
    av_packet_unref(&packet);
    const int code = av_read_frame(format_.get(), &packet);
    if (code == AVERROR_EOF) return false;
    if (code < 0) return broken(file_, code);
    if (packet.stream_index != stream_ || packet.pts == AV_NOPTS_VALUE || packet.pts < begin_) continue;
    if (packet.pts >= end_) {
      av_packet_unref(&packet);
      return false;
    }
    packet.pts -= begin_;
    packet.dts = packet.dts == AV_NOPTS_VALUE ? packet.pts : packet.dts - begin_;
    return true;
  }
}

}  // namespace vantage
