#include "core/video/audio.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
}

#include <algorithm>
#include <cmath>

#include "core/video/av_handles.h"
#include "core/video/detail/sources.h"
#include "core/video/file_list.h"

namespace vantage {
namespace {

struct FreeResampler {
  void operator()(SwrContext* context) const { swr_free(&context); }
};
using Resampler = std::unique_ptr<SwrContext, FreeResampler>;

// Less is the rounding of times; half a packet of sound is about so much.
constexpr double kSmallestHole_s = 0.01;
constexpr double kMaxEarly_s = 3600;  // of sound before the first picture

double seconds(int64_t ticks, AVRational base) {
  return ticks == AV_NOPTS_VALUE ? 0.0 : static_cast<double>(ticks) * av_q2d(base);
}

class SoundReader {
 public:
  SoundReader(const std::string& path, int sample_rate, double max_seconds, const StopSource& stop)
      : path_(path), max_seconds_(max_seconds), stop_(stop) {
    sound_.sample_rate = sample_rate;
  }

  Result<std::optional<Sound>> read() {
    av::silence_library_log();
    AVFormatContext* opened = nullptr;
    if (const int code = avformat_open_input(&opened, path_.c_str(), nullptr, nullptr); code < 0)
      return broken(code);
    format_.reset(opened);
    if (const int code = avformat_find_stream_info(format_.get(), nullptr); code < 0) return broken(code);
    stream_ = av_find_best_stream(format_.get(), AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
    if (stream_ < 0) return std::optional<Sound>();
    VANTAGE_TRY(open_decoder());
    const int video = av_find_best_stream(format_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
    if (video >= 0)
      start_s_ = seconds(format_->streams[video]->start_time, format_->streams[video]->time_base);
    VANTAGE_TRY(decode());
    if (sound_.samples.empty()) return std::optional<Sound>();
    return std::optional<Sound>(std::move(sound_));
  }

 private:
  tl::unexpected<Error> broken(int code) const {
    return fail(ErrorKind::bad_data, "the sound cannot be read (" + av::error_text(code) + ")", path_,
                "The pictures may be fine: continue without the sound.");
  }
  bool full() const {
    return static_cast<double>(sound_.samples.size()) >= max_seconds_ * sound_.sample_rate;
  }

  Status open_decoder() {
    const AVCodecParameters* parameters = format_->streams[stream_]->codecpar;
    const AVCodec* codec = avcodec_find_decoder(parameters->codec_id);
    if (!codec) return fail(ErrorKind::unsupported, "there is no decoder for the sound", path_);
    decoder_.reset(avcodec_alloc_context3(codec));
    if (!decoder_) return fail(ErrorKind::out_of_memory, "not enough memory for the sound", path_);
    if (const int code = avcodec_parameters_to_context(decoder_.get(), parameters); code < 0)
      return broken(code);
    if (const int code = avcodec_open2(decoder_.get(), codec, nullptr); code < 0) return broken(code);
    return {};
  }

  Status open_resampler(const AVFrame& frame) {
    SwrContext* made = nullptr;
    AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO, from = frame.ch_layout;
    if (from.order == AV_CHANNEL_ORDER_UNSPEC) av_channel_layout_default(&from, frame.ch_layout.nb_channels);
    const int code =
        swr_alloc_set_opts2(&made, &mono, AV_SAMPLE_FMT_FLT, sound_.sample_rate, &from,
                            static_cast<AVSampleFormat>(frame.format), frame.sample_rate, 0, nullptr);
    resampler_.reset(made);
    if (code < 0) return broken(code);
    if (const int started = swr_init(resampler_.get()); started < 0) return broken(started);
    return {};
  }

  Status decode() {
    const av::Owned<AVPacket> packet = av::make_packet();
    const av::Owned<AVFrame> frame = av::make_frame();
    if (!packet || !frame) return fail(ErrorKind::out_of_memory, "not enough memory for the sound", path_);
    while (!full()) {
      if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "reading was stopped", path_);
      const int read = av_read_frame(format_.get(), packet.get());
      if (read >= 0 && packet->stream_index != stream_) {
        av_packet_unref(packet.get());
        continue;
      }
      // A damaged packet is skipped, as players do; null at the end drains the decoder.
      const int sent = avcodec_send_packet(decoder_.get(), read >= 0 ? packet.get() : nullptr);
      av_packet_unref(packet.get());
      if (read < 0 && sent < 0) break;
      while (!full() && avcodec_receive_frame(decoder_.get(), frame.get()) >= 0) VANTAGE_TRY(take(*frame));
      if (read < 0) break;
    }
    return {};
  }

  Status take(const AVFrame& frame) {
    if (!resampler_) VANTAGE_TRY(open_resampler(frame));
    place(frame.best_effort_timestamp);
    const int max = swr_get_out_samples(resampler_.get(), frame.nb_samples);
    if (max < 0) return broken(max);
    std::vector<float> made(static_cast<size_t>(max));
    uint8_t* out = reinterpret_cast<uint8_t*>(made.data());
    const int count = swr_convert(resampler_.get(), &out, max,
                                  const_cast<const uint8_t**>(frame.extended_data), frame.nb_samples);
    if (count < 0) return broken(count);
    const auto skip = std::min<int64_t>(count, skip_);
    skip_ -= skip;
    sound_.samples.insert(sound_.samples.end(), made.begin() + skip, made.begin() + count);
    return {};
  }

  // Samples lie where their time says: the track may begin before the first picture or after it, and have
  // holes, which are silence.
  void place(int64_t ticks) {
    if (ticks == AV_NOPTS_VALUE) return;
    const double after_first_picture_s = seconds(ticks, format_->streams[stream_]->time_base) - start_s_;
    const double wanted = std::clamp(after_first_picture_s, -kMaxEarly_s, max_seconds_) * sound_.sample_rate;
    const double here = static_cast<double>(sound_.samples.size()) - static_cast<double>(skip_) +
                        static_cast<double>(swr_get_delay(resampler_.get(), sound_.sample_rate));
    const auto hole = static_cast<int64_t>(std::llround(wanted - here));
    if (started_ && std::abs(static_cast<double>(hole)) < kSmallestHole_s * sound_.sample_rate) return;
    started_ = true;
    const int64_t silence = std::max<int64_t>(0, hole - skip_);
    skip_ = std::max<int64_t>(0, skip_ - hole);
    sound_.samples.insert(sound_.samples.end(), static_cast<size_t>(silence), 0.0f);
  }

  const std::string& path_;
  const double max_seconds_;
  const StopSource& stop_;
  Sound sound_;
  av::Owned<AVFormatContext> format_;
  av::Owned<AVCodecContext> decoder_;
  Resampler resampler_;
  int stream_ = -1;
  double start_s_ = 0;
  int64_t skip_ = 0;  // samples to come that belong to what is there already, or before the first picture
  bool started_ = false;
};

}  // namespace

namespace {

Result<std::optional<Sound>> read_sound_of_list(const std::string& path, int sample_rate, double max_seconds,
                                                const StopSource& stop) {
  VANTAGE_ASSIGN(const FileList list, read_file_list(path));
  std::optional<Sound> all;
  const auto sample = [&](int64_t frames) {
    return static_cast<size_t>(std::llround(static_cast<double>(frames) / list.frame_rate * sample_rate));
  };
  for (const ListedSpan& span : spans_of(list)) {
    if (span.file < 0 || static_cast<double>(span.begin) >= max_seconds * list.frame_rate) continue;
    const ListedFile& file = list.files[static_cast<size_t>(span.file)];
    const std::string name = file.file.string();
    // No longer than asked for: the files of recorders hold hours.
    const double seconds = std::min(static_cast<double>(span.end) / list.frame_rate, max_seconds) -
                           static_cast<double>(file.first_frame) / list.frame_rate;
    VANTAGE_ASSIGN(const std::optional<Sound> one, SoundReader(name, sample_rate, seconds, stop).read());
    const size_t first = sample(span.begin - file.first_frame);
    if (!one || one->samples.size() <= first) continue;
    if (!all) all = Sound{sample_rate, {}};
    all->samples.resize(sample(span.begin));
    const auto begin = one->samples.begin() + static_cast<std::ptrdiff_t>(first);
    all->samples.insert(all->samples.end(), begin, one->samples.end());
  }
  if (all) all->samples.resize(std::min(all->samples.size(), static_cast<size_t>(max_seconds * sample_rate)));
  return all;
}

}  // namespace

Result<std::optional<Sound>> read_sound(const std::string& path, int sample_rate, double max_seconds,
                                        const StopSource& stop) {
  if (names_image_sequence(path)) return std::optional<Sound>();
  if (names_file_list(path)) return read_sound_of_list(path, sample_rate, max_seconds, stop);
  return SoundReader(path, sample_rate, max_seconds, stop).read();
}

namespace {

tl::unexpected<Error> broken(const std::string& file, int code) {
  return fail(ErrorKind::bad_data, "the sound cannot be read (" + av::error_text(code) + ")", file,
              "The pictures may be fine: continue without the sound.");
}

}  // namespace

Result<std::unique_ptr<SoundPackets>> SoundPackets::open(const std::string& video, double from_s,
                                                         double to_s) {
  av::silence_library_log();
  std::unique_ptr<SoundPackets> sound(new SoundPackets);
  if (names_file_list(video)) {
    VANTAGE_ASSIGN(const FileList list, read_file_list(video));
    for (const ListedSpan& span : spans_of(list)) {
      const double begin_s = std::max(from_s, static_cast<double>(span.begin) / list.frame_rate),
                   end_s = std::min(to_s, static_cast<double>(span.end) / list.frame_rate);
      if (span.file < 0 || begin_s >= end_s) continue;
      const ListedFile& file = list.files[static_cast<size_t>(span.file)];
      const double first_s = static_cast<double>(file.first_frame) / list.frame_rate;
      sound->parts_.push_back({file.file.string(), begin_s - first_s, end_s - first_s, begin_s - from_s});
    }
  } else {
    sound->parts_.push_back({video, from_s, to_s, 0});
  }
  VANTAGE_TRY(sound->open_next());
  if (!sound->format_) sound.reset();
  return sound;
}

Status SoundPackets::open_next() {
  format_.reset();
  while (!format_ && next_ < parts_.size()) {
    const Part& part = parts_[next_++];
    file_ = part.file;
    AVFormatContext* opened = nullptr;
    if (const int code = avformat_open_input(&opened, ("file:" + file_).c_str(), nullptr, nullptr); code < 0)
      return broken(file_, code);
    av::Owned<AVFormatContext> format(opened);
    if (const int code = avformat_find_stream_info(opened, nullptr); code < 0) return broken(file_, code);
    stream_ = av_find_best_stream(opened, AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
    if (stream_ < 0) continue;
    const AVStream& stream = *opened->streams[stream_];
    if (!parameters_) {
      parameters_.reset(avcodec_parameters_alloc());
      if (!parameters_ || avcodec_parameters_copy(parameters_.get(), stream.codecpar) < 0)
        return fail(ErrorKind::out_of_memory, "not enough memory to copy the sound", file_);
      time_base_ = {stream.time_base.num, stream.time_base.den};
    }
    if (stream.codecpar->codec_id != parameters_->codec_id ||
        stream.codecpar->sample_rate != parameters_->sample_rate ||
        stream.codecpar->ch_layout.nb_channels != parameters_->ch_layout.nb_channels)
      continue;
    const int video = av_find_best_stream(opened, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
    const double first_picture_s =
        video >= 0 ? seconds(opened->streams[video]->start_time, opened->streams[video]->time_base) : 0;
    const auto ticks = [](double at_s, const AVRational& base) {
      return static_cast<int64_t>(std::llround(at_s / av_q2d(base)));
    };
    begin_ = ticks(first_picture_s + part.from_s, stream.time_base);
    end_ = ticks(first_picture_s + part.to_s, stream.time_base);
    at_ = ticks(part.at_s, {time_base_.first, time_base_.second});
    for (unsigned i = 0; i < opened->nb_streams; ++i)
      if (static_cast<int>(i) != stream_) opened->streams[i]->discard = AVDISCARD_ALL;
    if (part.from_s > 0)
      if (const int code = av_seek_frame(opened, stream_, begin_, AVSEEK_FLAG_BACKWARD); code < 0)
        return broken(file_, code);
    format_ = std::move(format);
  }
  return {};
}

Result<bool> SoundPackets::read(AVPacket& packet) {
  while (format_) {
    av_packet_unref(&packet);
    const int code = av_read_frame(format_.get(), &packet);
    if (code < 0 && code != AVERROR_EOF) return broken(file_, code);
    if (code == AVERROR_EOF || (packet.stream_index == stream_ && packet.pts >= end_)) {
      av_packet_unref(&packet);
      VANTAGE_TRY(open_next());
      continue;
    }
    if (packet.stream_index != stream_ || packet.pts == AV_NOPTS_VALUE || packet.pts < begin_) continue;
    packet.pts -= begin_;
    packet.dts = packet.dts == AV_NOPTS_VALUE ? packet.pts : packet.dts - begin_;
    av_packet_rescale_ts(&packet, format_->streams[stream_]->time_base,
                         {time_base_.first, time_base_.second});
    packet.pts += at_, packet.dts += at_;
    return true;
  }
  return false;
}

}  // namespace vantage
