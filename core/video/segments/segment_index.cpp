#include "core/video/segments/segment_index.h"

extern "C" {
#include <fmt/core.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/video/detail/demuxer.h"

namespace vantage {
namespace {

constexpr const char* kFormat = "vantage segments 1";
constexpr int64_t kMostSide_px = 65536;

std::vector<std::filesystem::path> index_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("index-") && name.ends_with(".txt")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

bool names_segments(const std::string& video) {
  return video.ends_with(kSegmentsSuffix);
}

Result<SegmentsHeader> read_segments_header(const std::filesystem::path& file) {
  VANTAGE_ASSIGN(const std::string text, vantage::read_file(file));
  const nlohmann::json json = parse_json(text);
  const auto bad = [&] {
    return fail(ErrorKind::bad_data, "is not a recording of a live camera", file.string(),
                "Choose a .segments file that a recording has written.");
  };
  SegmentsHeader header;
  try {
    if (json.at("format").get<std::string>() != kFormat) return bad();
    header.frame_rate = json.at("frame_rate").get<double>();
    const auto side = [&](const char* name) {
      const nlohmann::json& value = json.at(name);
      const int64_t length = value.is_number_integer() ? value.get<int64_t>() : 0;
      return length <= kMostSide_px ? static_cast<int>(std::max<int64_t>(0, length)) : 0;
    };
    header.width_px = side("width_px"), header.height_px = side("height_px");
    header.codec = json.at("codec").get<std::string>();
    const auto checksum = json.at("checksum").get<std::string>();
    std::from_chars(checksum.data(), checksum.data() + checksum.size(), header.checksum, 16);
  } catch (const nlohmann::json::exception&) {
    return bad();
  }
  if (!(header.frame_rate > 0) || header.width_px < 1 || header.height_px < 1) return bad();
  return header;
}

Status write_segments_header(const std::filesystem::path& file, const SegmentsHeader& header) {
  const nlohmann::ordered_json json = {{"format", kFormat},           {"frame_rate", header.frame_rate},
                                       {"width_px", header.width_px}, {"height_px", header.height_px},
                                       {"codec", header.codec},       {"checksum", hex64(header.checksum)}};
  return write_file_atomically(file, json_text(json, 2) + "\n");
}

std::filesystem::path segments_folder(const std::filesystem::path& file) {
  std::filesystem::path folder = file;
  return folder.replace_extension();
}

std::filesystem::path segment_path(const std::filesystem::path& folder, int segment) {
  return folder / fmt::format("{:06}.mkv", segment);
}

std::filesystem::path index_path(const std::filesystem::path& folder, int64_t frame) {
  return folder / fmt::format("index-{:012}.txt", frame);
}

std::string start_line(int segment, int64_t time_ms) {
  return fmt::format("S {} {}\n", segment, time_ms);
}
std::string picture_line(int64_t frame, int segment, int64_t time_ms) {
  return fmt::format("P {} {} {}\n", frame, segment, time_ms);
}
std::string time_line(int64_t frame) {
  return fmt::format("T {}\n", frame);
}

// A damaged line must not lead far away, nor a number overflow: frames are below 2^40 (a thousand years), and
// a camera is away for less than 2^22 of them (two days at 25 frames/s).
void SegmentIndex::take_line(const char* line) {
  constexpr int64_t kMaxFrame = int64_t{1} << 40, kMaxGap = int64_t{1} << 22;
  const auto follows = [this](int64_t number) {
    const int64_t known_end = std::max(end_, pictures_.empty() ? 0 : pictures_.back().frame + 1);
    return number >= 0 && number < kMaxFrame && (begin_ < 0 || number - known_end <= kMaxGap);
  };
  int64_t frame = 0, time = 0;
  int segment = 0;
  if (std::sscanf(line, "P %" SCNd64 " %d %" SCNd64, &frame, &segment, &time) == 3) {
    if (!follows(frame) || segment < 0) return;
    if (begin_ < 0) begin_ = end_ = frame;
    if (frame >= begin_) keep({frame, {segment, static_cast<int32_t>(time)}});
  } else if (std::sscanf(line, "S %d %" SCNd64, &segment, &time) == 2) {
    starts_[segment].push_back(static_cast<int32_t>(time));
  } else if (std::sscanf(line, "T %" SCNd64, &frame) == 1) {
    if (!follows(frame)) return;
    if (begin_ < 0) begin_ = frame + 1;
    end_ = std::max(end_, frame + 1);
  }
}

void SegmentIndex::keep(const Picture& picture) {
  const auto found =
      pictures_.empty() || pictures_.back().frame < picture.frame ? pictures_.end() : from(picture.frame);
  if (found != pictures_.end() && found->frame == picture.frame)
    pictures_[found - pictures_.begin()] = picture;
  else
    pictures_.insert(found, picture);
}

std::vector<SegmentIndex::Picture>::const_iterator SegmentIndex::from(int64_t frame) const {
  return std::lower_bound(pictures_.begin(), pictures_.end(), frame,
                          [](const Picture& picture, int64_t number) { return picture.frame < number; });
}

void SegmentIndex::read_file(const std::filesystem::path& file) {
  if (file != file_) {
    file_ = file;
    read_to_ = 0;
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return;  // removed meanwhile: no longer kept
  stream.seekg(read_to_);
  for (std::string line; std::getline(stream, line);) {
    if (stream.eof()) break;  // not whole yet
    read_to_ += static_cast<std::streamoff>(line.size()) + 1;
    take_line(line.c_str());
  }
}

void SegmentIndex::refresh() {
  for (const std::filesystem::path& file : index_files(folder_))
    if (file >= file_) read_file(file);
}

SegmentIndex::Place SegmentIndex::at(int64_t frame) const {
  const auto found = from(frame);
  return found != pictures_.end() && found->frame == frame ? found->place : Place();
}

SegmentIndex::Place SegmentIndex::start_before(const Place& place) const {
  Place start{place.segment, 0};
  const auto starts = starts_.find(place.segment);
  if (starts == starts_.end()) return start;
  const auto behind = std::upper_bound(starts->second.begin(), starts->second.end(), place.time_ms);
  if (behind != starts->second.begin()) start.time_ms = *(behind - 1);
  return start;
}

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
