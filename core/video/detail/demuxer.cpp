#include "core/video/detail/demuxer.h"

#include <dlfcn.h>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavdevice/version.h>
#include <libavformat/avformat.h>
}

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "core/base/trace.h"

namespace vantage {
namespace {

constexpr int kMaxSkippedErrors = 1000;       // damaged spots a demuxer may stumble over in a row
constexpr int64_t kLiveProbe_us = 1'500'000;  // how long a stream is examined for its size and format

// FFmpeg's devices bring 70 libraries of sound, speech and drawing along, so only a camera of this machine
// loads them. False where the library is not installed.
bool register_devices() {
  static const auto add = [] {
    void* const library =
        ::dlopen("libavdevice.so." AV_STRINGIFY(LIBAVDEVICE_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<void (*)()>(library ? ::dlsym(library, "avdevice_register_all") : nullptr);
  }();
  if (add) add();
  return add != nullptr;
}

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

tl::unexpected<Error> open_error(const std::string& path, int code, const StopSource& stop) {
  if (stop.stop_requested()) return fail(ErrorKind::cancelled, "opening was stopped", path);
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

// FFmpeg 6.1 moved the streams' side data to their parameters.
const uint8_t* display_matrix_data(const AVStream& stream, size_t min_bytes) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
  const AVPacketSideData* data = av_packet_side_data_get(
      stream.codecpar->coded_side_data, stream.codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
  return data && data->size >= min_bytes ? data->data : nullptr;
#else
  size_t size = 0;
  const uint8_t* data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  return data && size >= min_bytes ? data : nullptr;
#endif
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

Result<AVFormatContext*> Demuxer::prepare(std::string shown, const StopSource& stop) {
  av::silence_library_log();
  shown_ = std::move(shown);
  limit_ = std::make_unique<ReadLimit>();
  limit_->stop = stop;
  AVFormatContext* format = avformat_alloc_context();
  if (!format) return fail(ErrorKind::out_of_memory, "not enough memory to open it", shown_);
  format->interrupt_callback = {interrupted, limit_.get()};
  return format;
}

Result<std::unique_ptr<Demuxer>> Demuxer::open_file(const std::string& path, const StopSource& stop) {
  VANTAGE_TRY(check_file(path));
  std::unique_ptr<Demuxer> demuxer(new Demuxer);
  VANTAGE_ASSIGN(AVFormatContext * format, demuxer->prepare(path, stop));
  AVDictionary* options = nullptr;
  av_dict_set(&options, "protocol_whitelist", "file", 0);  // a file never makes us open another address
  const int opened = avformat_open_input(&format, ("file:" + path).c_str(), nullptr, &options);
  av_dict_free(&options);
  if (opened < 0) return open_error(path, opened, stop);  // FFmpeg has freed the context
  demuxer->format_.reset(format);
  if (const int found = avformat_find_stream_info(format, nullptr); found < 0)
    return open_error(path, found, stop);
  if (stop.stop_requested()) return fail(ErrorKind::cancelled, "opening was stopped", path);
  VANTAGE_TRY(demuxer->select_stream());
  return demuxer;
}

int Demuxer::open_stream(const LiveAddress& address, AVFormatContext* format) {
  format->max_analyze_duration = kLiveProbe_us;
  AVDictionary* options = nullptr;
  // Neither a play list nor a redirection makes us open something else than a network stream.
  av_dict_set(&options, "protocol_whitelist", "udp,tcp,tls,http,https,httpproxy,crypto", 0);
  av_dict_set(&options, "fpsprobesize", "0", 0);
  const AVInputFormat* kind = nullptr;  // told by the address or the stream
  if (address.protocol == LiveProtocol::device) {
    if (register_devices()) kind = av_find_input_format("video4linux2");
    if (!kind) {
      avformat_free_context(format);
      return AVERROR_DEMUXER_NOT_FOUND;
    }
  }
  const int code = avformat_open_input(&format, address.url.c_str(), kind, &options);
  av_dict_free(&options);
  if (code < 0) return code;
  format_.reset(format);
  return avformat_find_stream_info(format, nullptr);
}

Result<std::unique_ptr<Demuxer>> Demuxer::open_live(const LiveAddress& address, const StopSource& stop) {
  static const int network = avformat_network_init();
  static_cast<void>(network);
  std::unique_ptr<Demuxer> demuxer(new Demuxer);
  VANTAGE_ASSIGN(AVFormatContext * format, demuxer->prepare(address.shown(), stop));
  demuxer->silence_limit_s_ = address.silence_limit_s;
  demuxer->limit_->deadline_ns = nanoseconds_from_now(address.open_limit_s);
  const int code = demuxer->open_stream(address, format);
  if (stop.stop_requested()) return fail(ErrorKind::cancelled, "opening was stopped", demuxer->shown_);
  if (code < 0) return fail(live_error(address, code, demuxer->limit_->passed()));
  VANTAGE_TRY(demuxer->select_stream());
  return demuxer;
}

Status Demuxer::select_stream() {
  stream_ = av_find_best_stream(format_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (stream_ < 0 || is_text(stream().codecpar->codec_id))
    return fail(ErrorKind::bad_data, "holds no video", shown_, "Choose one that does");
  for (unsigned i = 0; i < format_->nb_streams; ++i)
    if (static_cast<int>(i) != stream_) format_->streams[i]->discard = AVDISCARD_ALL;
  return {};
}

Result<bool> Demuxer::read(AVPacket& packet) {
  const std::string broken =
      std::string(silence_limit_s_ > 0 ? "the stream" : "the file") + " cannot be read further";
  for (int errors = 0; errors < kMaxSkippedErrors; ++errors) {
    if (silence_limit_s_ > 0) limit_->deadline_ns = nanoseconds_from_now(silence_limit_s_);
    const int code = av_read_frame(format_.get(), &packet);
    if (limit_->stop.stop_requested()) {
      av_packet_unref(&packet);
      return fail(ErrorKind::cancelled, "reading was stopped", shown_);
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
    if (code == AVERROR(ENOMEM))
      return fail(ErrorKind::out_of_memory, "not enough memory to read on", shown_);
    end_problem_ = broken + ": " + av::error_text(code);
    return false;
  }
  end_problem_ = broken;
  return false;
}

bool Demuxer::seek(int64_t target, int how) {
  end_problem_.clear();
  return av_seek_frame(format_.get(), stream_, target, how) >= 0;
}

const AVStream& Demuxer::stream() const {
  return *format_->streams[stream_];
}

double Demuxer::frame_rate() const {
  const AVStream& s = stream();
  // AVI headers may state half the rate of their packets; the average is measured over them.
  if (s.avg_frame_rate.num > 0 && s.avg_frame_rate.den > 0) return av_q2d(s.avg_frame_rate);
  return s.r_frame_rate.num > 0 && s.r_frame_rate.den > 0 ? av_q2d(s.r_frame_rate) : 0;
}

int64_t Demuxer::start_time() const {
  // These count from 0 whenever their first stream begins; others from a clock of their own.
  const std::string_view container = format_->iformat->name;
  if (container.find("mp4") != std::string_view::npos || container.find("matroska") != std::string_view::npos)
    return 0;
  if (format_->start_time == AV_NOPTS_VALUE) return kNoTime;
  return av_rescale_q(format_->start_time, AV_TIME_BASE_Q, stream().time_base);
}

std::vector<int64_t> Demuxer::indexed_times() const {
  AVStream* s = format_->streams[stream_];
  const int entries = avformat_index_get_entries_count(s);
  std::vector<int64_t> times;
  if (s->nb_frames <= 0 || entries != s->nb_frames) return times;
  for (int i = 0; i < entries; ++i) times.push_back(avformat_index_get_entry(s, i)->timestamp);
  return times;
}

std::optional<DisplayMatrix> Demuxer::display_matrix() const {
  DisplayMatrix matrix{};
  if (const uint8_t* data = display_matrix_data(stream(), sizeof matrix)) {
    std::memcpy(matrix.data(), data, sizeof matrix);
    return matrix;
  }
  const AVDictionaryEntry* tag = av_dict_get(stream().metadata, kDisplayMatrixTag, nullptr, 0);
  if (!tag) return std::nullopt;
  std::istringstream numbers(tag->value);
  for (int32_t& value : matrix)
    if (!(numbers >> value)) return std::nullopt;
  return matrix;
}

bool Demuxer::can_seek_by_bytes() const {
  return (format_->iformat->flags & AVFMT_NO_BYTE_SEEK) == 0;
}

}  // namespace vantage
