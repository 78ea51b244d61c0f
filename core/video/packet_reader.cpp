#include "core/video/packet_reader.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavdevice/avdevice.h>
#include <libavformat/avformat.h>
}

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/trace.h"
#include "core/video/fast_hash.h"

namespace vantage {
namespace {

static_assert(kNoTime == AV_NOPTS_VALUE);

constexpr int kMostSkippedErrors = 1000;      // damaged spots a demuxer may stumble over in a row
constexpr int64_t kLiveProbe_us = 1'500'000;  // how long a stream is looked at for its size and format
// After a jump the wanted packet lies within what an index entry of any container misses by.
constexpr int kMostSearchedPackets = 4096;

Status check_file(const std::string& path) {
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found)
    return fail(ErrorKind::not_found, "there is no such file", path, "Check the path");
  if (code) return fail(ErrorKind::io, "cannot be read: " + code.message(), path, "Check its permissions");
  if (std::filesystem::is_regular_file(status) && std::filesystem::file_size(path, code) == 0 && !code)
    return fail(ErrorKind::bad_data, "the file is empty (0 bytes)", path, "Copy it from its source again");
  return {};
}

tl::unexpected<Error> open_error(const std::string& path, int code) {
  if (code == AVERROR(EACCES) || code == AVERROR(EPERM))
    return fail(ErrorKind::io, "cannot be read: " + av::error_text(code), path,
                "Check the file's permissions");
  if (code == AVERROR(ENOMEM))
    return fail(ErrorKind::out_of_memory, "not enough memory to open the file", path);
  if (code == AVERROR(EIO)) return fail(ErrorKind::io, "reading failed: " + av::error_text(code), path);
  return fail(ErrorKind::bad_data,
              "is not a video that can be opened, or it is damaged or cut off at its index (" +
                  av::error_text(code) + ")",
              path, "Check that it plays elsewhere, or copy it from its source again");
}

int interrupted(void* limit) {
  const auto* reading = static_cast<const ReadLimit*>(limit);
  return reading->stop.stop_requested() || reading->passed() ? 1 : 0;
}

int64_t nanoseconds_from_now(double seconds) {
  return trace_now_ns() + static_cast<int64_t>(seconds * 1e9);
}

// Text art is "video" to FFmpeg: a text file under another name would open.
bool is_text(AVCodecID codec) {
  return codec == AV_CODEC_ID_ANSI || codec == AV_CODEC_ID_IDF || codec == AV_CODEC_ID_BINTEXT ||
         codec == AV_CODEC_ID_XBIN;
}

}  // namespace

bool ReadLimit::passed() const {
  return trace_now_ns() > deadline_ns.load(std::memory_order_relaxed);
}

PacketIdentity identify(const AVPacket& packet, int64_t number) {
  PacketIdentity identity;
  identity.number = number;
  identity.pts = packet.pts;
  identity.dts = packet.dts;
  identity.position = packet.pos;
  identity.size_bytes = packet.size;
  identity.content = fast_hash(packet.data, static_cast<size_t>(packet.size), 0);
  return identity;
}

Result<std::unique_ptr<PacketReader>> PacketReader::open(const std::string& path, const StopSource& stop) {
  av::silence_library_log();
  VANTAGE_TRY(check_file(path));
  std::unique_ptr<PacketReader> reader(new PacketReader);
  reader->path_ = path;
  reader->limit_ = std::make_unique<ReadLimit>();
  reader->limit_->stop = stop;
  reader->held_ = av::make_packet();
  AVFormatContext* format = avformat_alloc_context();
  if (!format || !reader->held_)
    return fail(ErrorKind::out_of_memory, "not enough memory to open the file", path);
  format->interrupt_callback = {interrupted, reader->limit_.get()};
  AVDictionary* options = nullptr;
  av_dict_set(&options, "protocol_whitelist", "file", 0);  // a file never makes us open another address
  const int opened = avformat_open_input(&format, ("file:" + path).c_str(), nullptr, &options);
  av_dict_free(&options);
  if (opened < 0) return open_error(path, opened);  // FFmpeg has freed the context
  reader->format_.reset(format);
  if (const int found = avformat_find_stream_info(format, nullptr); found < 0) return open_error(path, found);
  if (stop.stop_requested()) return fail(ErrorKind::cancelled, "opening was stopped", path);
  VANTAGE_TRY(reader->select_stream());
  return reader;
}

Result<std::unique_ptr<PacketReader>> PacketReader::open_live(const LiveAddress& address,
                                                              const StopSource& stop) {
  av::silence_library_log();
  static const int network = avformat_network_init();
  static_cast<void>(network);
  std::unique_ptr<PacketReader> reader(new PacketReader);
  reader->path_ = address.shown();
  reader->silence_limit_s_ = address.silence_limit_s;
  reader->limit_ = std::make_unique<ReadLimit>();
  reader->limit_->stop = stop;
  reader->limit_->deadline_ns = nanoseconds_from_now(address.open_limit_s);
  reader->held_ = av::make_packet();
  AVFormatContext* format = avformat_alloc_context();
  if (!format || !reader->held_)
    return fail(ErrorKind::out_of_memory, "not enough memory to open the stream", reader->path_);
  format->interrupt_callback = {interrupted, reader->limit_.get()};
  format->max_analyze_duration = kLiveProbe_us;
  AVDictionary* options = nullptr;
  // Neither a play list nor a redirection makes us open something else than a network stream.
  av_dict_set(&options, "protocol_whitelist", "rtsp,rtp,rtcp,udp,tcp,tls,http,https,httpproxy,crypto", 0);
  if (address.protocol == LiveProtocol::rtsp) {
    av_dict_set(&options, "rtsp_transport", address.over_udp ? "udp" : "tcp", 0);
    av_dict_set(&options, "allowed_media_types", "video", 0);
  }
  av_dict_set(&options, "fpsprobesize", "0", 0);
  const AVInputFormat* kind = nullptr;  // told by the address or the stream
  if (address.protocol == LiveProtocol::device) {
    avdevice_register_all();
    kind = av_find_input_format("video4linux2");
  }
  int code = avformat_open_input(&format, address.url.c_str(), kind, &options);
  av_dict_free(&options);
  if (code >= 0) {
    reader->format_.reset(format);
    code = avformat_find_stream_info(format, nullptr);
  }
  if (stop.stop_requested()) return fail(ErrorKind::cancelled, "opening was stopped", reader->path_);
  if (code < 0) return fail(live_error(address, code, reader->limit_->passed()));
  VANTAGE_TRY(reader->select_stream());
  return reader;
}

Status PacketReader::select_stream() {
  stream_ = av_find_best_stream(format_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (stream_ < 0 || is_text(parameters().codec_id))
    return fail(ErrorKind::bad_data, "holds no video", path_, "Choose one that does");
  for (unsigned i = 0; i < format_->nb_streams; ++i)
    if (static_cast<int>(i) != stream_) format_->streams[i]->discard = AVDISCARD_ALL;
  return {};
}

Result<bool> PacketReader::read_raw(AVPacket& packet) {
  for (int errors = 0; errors < kMostSkippedErrors; ++errors) {
    if (silence_limit_s_ > 0) limit_->deadline_ns = nanoseconds_from_now(silence_limit_s_);
    const int code = av_read_frame(format_.get(), &packet);
    if (limit_->stop.stop_requested()) {
      av_packet_unref(&packet);
      return fail(ErrorKind::cancelled, "reading was stopped", path_);
    }
    if (code >= 0) {
      // An empty packet would tell the decoder that the stream has ended.
      if (packet.stream_index == stream_ && packet.size > 0) return true;
      av_packet_unref(&packet);
      --errors;
      continue;
    }
    if (limit_->passed()) {
      end_problem_ = silence_text(silence_limit_s_);
      return false;
    }
    if (code == AVERROR_EOF) return false;
    if (code == AVERROR(EAGAIN)) continue;
    if (code == AVERROR(ENOMEM)) return fail(ErrorKind::out_of_memory, "not enough memory to read on", path_);
    end_problem_ = "the file cannot be read further: " + av::error_text(code);
    return false;
  }
  end_problem_ = "the file cannot be read further";
  return false;
}

Result<bool> PacketReader::next(AVPacket& packet) {
  av_packet_unref(&packet);
  if (holding_) {
    av_packet_move_ref(&packet, held_.get());
    holding_ = false;
    ++next_number_;
    return true;
  }
  VANTAGE_ASSIGN(const bool more, read_raw(packet));
  if (more) ++next_number_;
  return more;
}

bool PacketReader::find_from_here(const PacketIdentity& target) {
  for (int i = 0; i < kMostSearchedPackets; ++i) {
    av_packet_unref(held_.get());
    const Result<bool> more = read_raw(*held_);
    if (!more || !*more) return false;
    const AVPacket& packet = *held_;
    const bool same_place = packet.pos < 0 || target.position < 0 || packet.pos == target.position;
    if (packet.size == target.size_bytes && same_place &&
        identify(packet, target.number).content == target.content) {
      holding_ = true;
      next_number_ = target.number;
      return true;
    }
    if (packet.pos >= 0 && target.position >= 0 && packet.pos > target.position &&
        (packet.dts == kNoTime || target.dts == kNoTime || packet.dts > target.dts))
      return false;  // past it
  }
  return false;
}

bool PacketReader::jump_to(const PacketIdentity& target) {
  holding_ = false;
  end_problem_.clear();
  AVFormatContext* format = format_.get();
  const int64_t time = target.dts != kNoTime ? target.dts : target.pts;
  if (time != kNoTime && av_seek_frame(format, stream_, time, AVSEEK_FLAG_BACKWARD) >= 0 &&
      find_from_here(target))
    return true;
  if (target.position >= 0 && !(format->iformat->flags & AVFMT_NO_BYTE_SEEK) &&
      av_seek_frame(format, stream_, target.position, AVSEEK_FLAG_BYTE) >= 0 && find_from_here(target))
    return true;
  if (limit_->stop.stop_requested()) return false;
  if (!begin_again()) return false;  // the sure way: from the beginning, without decoding
  for (int64_t number = 0; number < target.number; ++number) {
    const Result<bool> more = next(*held_);
    if (!more || !*more) return false;
  }
  av_packet_unref(held_.get());
  return true;
}

bool PacketReader::begin_again() {
  Result<std::unique_ptr<PacketReader>> fresh = open(path_, limit_->stop);
  if (!fresh) return false;
  format_ = std::move((*fresh)->format_);
  limit_ = std::move((*fresh)->limit_);
  stream_ = (*fresh)->stream_;
  next_number_ = 0;
  return true;
}

bool PacketReader::find_time_from_here(int64_t pts) {
  for (;;) {
    av_packet_unref(held_.get());
    const Result<bool> more = read_raw(*held_);
    if (!more || !*more) return false;
    if (held_->pts != pts) continue;
    holding_ = true;
    return true;
  }
}

bool PacketReader::jump_to_time(int64_t pts) {
  holding_ = false;
  end_problem_.clear();
  if (av_seek_frame(format_.get(), stream_, pts, AVSEEK_FLAG_BACKWARD) >= 0 && find_time_from_here(pts))
    return true;
  return !limit_->stop.stop_requested() && begin_again() && find_time_from_here(pts);
}

const AVStream& PacketReader::stream() const {
  return *format_->streams[stream_];
}
const AVCodecParameters& PacketReader::parameters() const {
  return *stream().codecpar;
}

double PacketReader::frame_rate() const {
  const AVStream& s = stream();
  // AVI headers may state half the rate of their packets; the average is measured over them.
  if (s.avg_frame_rate.num > 0 && s.avg_frame_rate.den > 0) return av_q2d(s.avg_frame_rate);
  return s.r_frame_rate.num > 0 && s.r_frame_rate.den > 0 ? av_q2d(s.r_frame_rate) : 0;
}

int64_t PacketReader::stated_packets() const {
  return stream().nb_frames;
}

int64_t PacketReader::zero_utc_ns() const {
  return format_->start_time_realtime == kNoTime ? kNoTime : format_->start_time_realtime * 1000;
}

int64_t PacketReader::time_ns(int64_t ticks) const {
  return av_rescale_q(ticks, stream().time_base, AVRational{1, 1000000000});
}

}  // namespace vantage
