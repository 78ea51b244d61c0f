#include "core/video/segments/segment_writer.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/video/detail/demuxer.h"

namespace vantage {
namespace {

// Matroska keeps presentation times only. The muxer nevertheless wants decoding times that rise and are never
// later: a count that begins far before.
constexpr int64_t kFirstDecodingTime = -(int64_t{1} << 40);

tl::unexpected<Error> write_error(const std::filesystem::path& path, int code) {
  return fail(ErrorKind::io, "the segment cannot be written: " + av::error_text(code), path.string(),
              code == AVERROR(ENOSPC) ? "The disk is full: free some space or keep less."
                                      : "Check the folder and its permissions.");
}

// Before version 6.1 FFmpeg's Matroska holds no display matrix, so it is a tag.
void note_display_matrix(const AVPacket& packet, AVStream& stream) {
  size_t size = 0;
  const uint8_t* data = av_packet_get_side_data(&packet, AV_PKT_DATA_DISPLAYMATRIX, &size);
  DisplayMatrix matrix{};
  if (!data || size < sizeof matrix) return;
  std::memcpy(matrix.data(), data, sizeof matrix);
  std::string text;
  for (const int32_t value : matrix) text += (text.empty() ? "" : " ") + std::to_string(value);
  av_dict_set(&stream.metadata, kDisplayMatrixTag, text.c_str(), 0);
}

class MatroskaSegment final : public SegmentWriter {
 public:
  explicit MatroskaSegment(std::filesystem::path path) : path_(std::move(path)) {}

  Status open(const StreamPacket& first);
  Status write(const StreamPacket& packet, int64_t time_ms) override;
  Status flush() override;
  Status finish() override;
  int64_t bytes() const override { return format_ && format_->pb ? avio_tell(format_->pb) : 0; }

 private:
  Status check(int code) const { return code < 0 ? Status(write_error(path_, code)) : Status(); }

  const std::filesystem::path path_;
  av::OwnedMuxer format_;
  av::Owned<AVPacket> packet_;
  int64_t packets_ = 0;
};

Status MatroskaSegment::open(const StreamPacket& first) {
  const StreamFormat& stream_format = *first.format;
  av::silence_library_log();
  AVFormatContext* format = nullptr;
  packet_ = av::make_packet();
  if (avformat_alloc_output_context2(&format, nullptr, "matroska", nullptr) < 0 || !packet_)
    return fail(ErrorKind::out_of_memory, "not enough memory to record", path_.string());
  format_.reset(format);
  AVStream* stream = avformat_new_stream(format, nullptr);
  if (!stream || avcodec_parameters_copy(stream->codecpar, stream_format.parameters.get()) < 0)
    return fail(ErrorKind::out_of_memory, "not enough memory to record", path_.string());
  stream->codecpar->codec_tag = 0;
  stream->time_base = AVRational{1, 1000};
  note_display_matrix(*first.packet, *stream);
  format->avoid_negative_ts = AVFMT_AVOID_NEG_TS_DISABLED;
  VANTAGE_TRY(check(avio_open(&format->pb, ("file:" + path_.string()).c_str(), AVIO_FLAG_WRITE)));
  const int code = avformat_write_header(format, nullptr);
  if (code == AVERROR(EINVAL) || code == AVERROR_PATCHWELCOME)
    return fail(ErrorKind::unsupported, "a stream of " + stream_format.codec + " cannot be recorded",
                path_.string(), "Set the camera to H.264, HEVC or Motion JPEG.");
  VANTAGE_TRY(check(code));
  return flush();
}

Status MatroskaSegment::write(const StreamPacket& packet, int64_t time_ms) {
  VANTAGE_TRY(check(av_packet_ref(packet_.get(), packet.packet.get())));
  packet_->pts = time_ms;
  packet_->dts = kFirstDecodingTime + packets_++;
  packet_->duration = 0;
  packet_->stream_index = 0;
  if (packet.start) packet_->flags |= AV_PKT_FLAG_KEY;
  const int code = av_write_frame(format_.get(), packet_.get());
  av_packet_unref(packet_.get());
  return check(code);
}

Status MatroskaSegment::flush() {
  VANTAGE_TRY(check(std::min(av_write_frame(format_.get(), nullptr), 0)));
  avio_flush(format_->pb);
  return check(format_->pb->error);
}

Status MatroskaSegment::finish() {
  const int code = av_write_trailer(format_.get());
  const int closed = avio_closep(&format_->pb);
  return check(code < 0 ? code : closed);
}

}  // namespace

Result<std::unique_ptr<SegmentWriter>> SegmentWriter::open(const std::filesystem::path& path,
                                                           const StreamPacket& first) {
  auto segment = std::make_unique<MatroskaSegment>(path);
  VANTAGE_TRY(segment->open(first));
  return segment;
}

}  // namespace vantage
