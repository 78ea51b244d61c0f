#include "core/video/segments/segment_index.h"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <fstream>

#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/base/hash.h"
#include "core/base/json.h"

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
  return folder / formatted("%06d.mkv", segment);
}

std::filesystem::path index_path(const std::filesystem::path& folder, int64_t frame) {
  return folder / formatted("index-%012" PRId64 ".txt", frame);
}

std::string start_line(int segment, int64_t time_ms) {
  return formatted("S %d %" PRId64 "\n", segment, time_ms);
}
std::string picture_line(int64_t frame, int segment, int64_t time_ms) {
  return formatted("P %" PRId64 " %d %" PRId64 "\n", frame, segment, time_ms);
}
std::string time_line(int64_t frame) {
  return formatted("T %" PRId64 "\n", frame);
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
    pictures_[static_cast<size_t>(found - pictures_.begin())] = picture;
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

}  // namespace vantage
