// Numbered image files as a VideoSource. Every image stands alone, so a seek costs nothing.

extern "C" {
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
}

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "core/base/frame_names.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/video/detail/frame_decoder.h"
#include "core/video/detail/packet_reader.h"
#include "core/video/detail/sources.h"
#include "core/video/picture_copy.h"
#include "core/video/video_files.h"

namespace vantage {
namespace {

class ImageSequenceSource final : public VideoSource {
 public:
  ImageSequenceSource(ImageSequence sequence, VideoOpenOptions options)
      : sequence_(std::move(sequence)), options_(std::move(options)), frame_(av::make_frame()) {}

  Status open();

  VideoInfo info() const override { return info_; }
  Result<DecodedFrame> read() override;
  Status seek(int64_t index) override;
  Result<int64_t> wait_for_frame_count(const StopSource&) override { return frame_count(); }
  std::vector<std::pair<int64_t, std::string>> problems() const override;
  uint64_t content_hash() const override { return content_hash_; }

 private:
  int64_t frame_count() const { return static_cast<int64_t>(sequence_.images.size()); }
  Status decode(const std::filesystem::path& image);
  Result<DecodedFrame> deliver(int64_t index);
  Status hash_content();

  const ImageSequence sequence_;
  const VideoOpenOptions options_;
  VideoInfo info_;
  uint64_t content_hash_ = 0;
  PictureCopier copier_;
  av::Owned<AVFrame> frame_;
  std::string codec_;
  int64_t next_ = 0;
  mutable std::mutex mutex_;  // of problems_
  std::map<int64_t, std::string> problems_;
};

Status ImageSequenceSource::open() {
  if (!frame_) return fail(ErrorKind::out_of_memory, "not enough memory to open the images", sequence_.name);
  VANTAGE_TRY(hash_content());
  // The first image that can be decoded describes the sequence.
  Status first = fail(ErrorKind::bad_data, "holds no image", sequence_.name);
  for (const auto& image : sequence_.images)
    if (!image.empty() && (first = decode(image))) break;
  if (!first) return fail(first.error());
  info_.content_hash = content_hash_;
  info_.codec = codec_;
  info_.decoder = options_.hardware ? "software (images are decoded on the CPU)" : "software";
  const char* name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(frame_->format));
  info_.pixel_format = name ? name : "unknown";
  info_.conversion = PictureCopier::conversion(*frame_, frame_->format);
  const PictureFormat upright = upright_format_of(*frame_, frame_->format);
  info_.width_px = upright.width;
  info_.height_px = upright.height;
  info_.frame_count = frame_count();
  info_.frame_count_exact = true;
  info_.order = sequence_.order, info_.frame_rate = sequence_.frame_rate;
  for (int64_t i = 0; i < frame_count(); ++i)
    if (sequence_.images[i].empty())
      problems_.emplace(
          i, "image number " + std::to_string(sequence_.first_number + i) + " is missing in the sequence");
  return {};
}

Status ImageSequenceSource::hash_content() {
  VANTAGE_ASSIGN(const VideoIdentity identity, identify_images(sequence_));
  info_.file_bytes = identity.bytes;
  content_hash_ = info_.content_hash = identity.checksum;
  return {};
}

Status ImageSequenceSource::decode(const std::filesystem::path& image) {
  VANTAGE_ASSIGN(const std::unique_ptr<PacketReader> reader,
                 PacketReader::open(image.string(), options_.stop));
  VANTAGE_ASSIGN(const std::unique_ptr<FrameDecoder> decoder, FrameDecoder::open(*reader, {}));
  VANTAGE_ASSIGN(const bool more, decoder->next(*reader, *frame_));
  if (!more) {
    const auto faults = decoder->take_faults();
    return fail(
        ErrorKind::bad_data,
        "the image cannot be decoded" + (faults.empty() ? std::string() : ": " + faults.front().reason),
        image.string());
  }
  codec_ = decoder->codec_name();
  return {};
}

Result<DecodedFrame> ImageSequenceSource::deliver(int64_t index) {
  DecodedFrame out;
  out.index = index;
  const std::filesystem::path& image = sequence_.images[index];
  Status decoded;
  if (!image.empty()) decoded = decode(image);
  if (!decoded &&
      (decoded.error().kind == ErrorKind::cancelled || decoded.error().kind == ErrorKind::out_of_memory))
    return fail(decoded.error());
  {
    const std::lock_guard lock(mutex_);
    if (!decoded) problems_.emplace(index, image.filename().string() + ": " + decoded.error().what);
    if (decoded && !image.empty() && !frame_problem(*frame_).empty())
      problems_.emplace(index, frame_problem(*frame_));
    if (const auto problem = problems_.find(index); problem != problems_.end()) out.problem = problem->second;
  }
  if (!decoded || image.empty()) return out;
  if (options_.native_checksum) {
    VANTAGE_ASSIGN(out.native_md5, native_md5(*frame_));
  }
  VANTAGE_ASSIGN(out.picture, copier_.copy(*frame_, options_.pool ? *options_.pool : HostPool::shared()));
  return out;
}

Result<DecodedFrame> ImageSequenceSource::read() {
  if (next_ >= frame_count())
    return fail(ErrorKind::end_of_stream, "the image sequence has ended", sequence_.name);
  if (options_.stop.stop_requested())
    return fail(ErrorKind::cancelled, "decoding was stopped", sequence_.name);
  SpanGuard span(options_.trace, "decode",
                 options_.camera < 0 ? "decode" : "decode cam" + std::to_string(options_.camera + 1), next_,
                 options_.camera);
  Result<DecodedFrame> frame = deliver(next_);
  if (frame) ++next_;
  return frame;
}

Status ImageSequenceSource::seek(int64_t index) {
  if (index < 0) return fail(ErrorKind::invalid_argument, "frame numbers start at 0", sequence_.name);
  if (index >= frame_count())
    return fail(ErrorKind::end_of_stream, "the sequence ends before frame " + std::to_string(index),
                sequence_.name);
  next_ = index;
  return {};
}

std::vector<std::pair<int64_t, std::string>> ImageSequenceSource::problems() const {
  const std::lock_guard lock(mutex_);
  return {problems_.begin(), problems_.end()};
}

}  // namespace

Result<std::unique_ptr<VideoSource>> open_image_sequence(ImageSequence sequence,
                                                         const VideoOpenOptions& options) {
  auto source = std::make_unique<ImageSequenceSource>(std::move(sequence), options);
  VANTAGE_TRY(source->open());
  return source;
}

// Which images a pattern, folder or glob names, and the content hash of files.

bool is_picture_file(const std::filesystem::path& file) {
  static const std::set<std::string> extensions = {".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff",
                                                   ".ppm", ".pgm", ".webp", ".jp2", ".tga", ".exr"};
  return extensions.contains(lower_case(file.extension().string()));
}

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxHashedImages = 64;
constexpr size_t kSampleBytes = 64 * 1024;
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// "img_%04d.png": what stands before and after the number.
struct PrintfPattern {
  std::string prefix, suffix;
};

std::optional<PrintfPattern> parse_printf(const std::string& name) {
  const size_t percent = name.find('%');
  if (percent == std::string::npos) return {};
  size_t i = percent + 1;
  while (i < name.size() && is_digit(name[i])) ++i;
  if (i >= name.size() || name[i] != 'd') return {};
  return PrintfPattern{name.substr(0, percent), name.substr(i + 1)};
}

bool has_wildcard(const std::string& name) {
  return name.find_first_of("*?[") != std::string::npos;
}

std::optional<int64_t> number_in(const PrintfPattern& pattern, const std::string& name) {
  if (name.size() <= pattern.prefix.size() + pattern.suffix.size() || !name.starts_with(pattern.prefix) ||
      !name.ends_with(pattern.suffix))
    return {};
  int64_t number = 0;
  const char* begin = name.data() + pattern.prefix.size();
  const char* end = name.data() + name.size() - pattern.suffix.size();
  const auto parsed = std::from_chars(begin, end, number);
  return parsed.ec == std::errc() && parsed.ptr == end && number >= 0 ? std::optional(number) : std::nullopt;
}

Result<std::vector<std::string>> file_names(const fs::path& folder) {
  std::error_code code;
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
    if (it->is_regular_file(code)) names.push_back(it->path().filename().string());
  if (code)
    return fail(code == std::errc::no_such_file_or_directory ? ErrorKind::not_found : ErrorKind::io,
                "the folder cannot be read: " + code.message(), folder.string(), "Check the path");
  std::sort(names.begin(), names.end());
  return names;
}

// The pictures of the names by their frames (core/base/frame_names.h): where these are a count, numbers that
// are missing in it are frames without a picture.
Result<ImageSequence> from_names(const fs::path& folder, const std::vector<std::string>& names,
                                 const std::vector<std::string>& counted) {
  FrameNameOptions how;
  how.pictures = true;
  auto read = frames_of_names(counted, how);
  if (!read) return fail(std::move(read).error());
  std::map<int64_t, fs::path> by_number;
  for (size_t i = 0; i < names.size(); ++i)
    if (read->frames[i]) by_number.emplace(*read->frames[i], folder / names[i]);
  ImageSequence sequence;
  sequence.order = read->said, sequence.frame_rate = read->frame_rate;
  if (by_number.empty()) return sequence;
  sequence.first_number = by_number.begin()->first;
  sequence.images.resize(by_number.rbegin()->first - sequence.first_number + 1);
  for (const auto& [number, path] : by_number) sequence.images[number - sequence.first_number] = path;
  return sequence;
}

}  // namespace

bool names_image_sequence(const std::string& path) {
  std::error_code code;
  if (fs::is_directory(path, code)) return true;
  if (fs::exists(path, code)) return false;  // a file whose name happens to look like a pattern
  const std::string name = fs::path(path).filename().string();
  return parse_printf(name).has_value() || has_wildcard(name);
}

Result<ImageSequence> find_images(const std::string& path) {
  std::error_code code;
  const bool is_folder = fs::is_directory(path, code);
  const fs::path folder = is_folder ? fs::path(path) : fs::path(path).parent_path();
  const std::string pattern = is_folder ? "" : fs::path(path).filename().string();
  VANTAGE_ASSIGN(std::vector<std::string> names, file_names(folder.empty() ? fs::path(".") : folder));
  std::vector<std::string> counted;  // what stands for each name where frames are counted
  if (const std::optional<PrintfPattern> printf_pattern = parse_printf(pattern)) {
    std::erase_if(names, [&](const std::string& name) { return !number_in(*printf_pattern, name); });
    for (const std::string& name : names)
      counted.push_back(std::to_string(*number_in(*printf_pattern, name)));
  } else {
    std::erase_if(names, [&](const std::string& name) {
      if (is_system_file(name)) return true;
      return is_folder ? !is_picture_file(name) : ::fnmatch(pattern.c_str(), name.c_str(), 0) != 0;
    });
    counted = names;
  }
  auto read = names.empty() ? Result<ImageSequence>() : from_names(folder, names, counted);
  if (!read) {
    Error error = std::move(read).error();
    error.where = path;
    return fail(std::move(error));
  }
  ImageSequence sequence = std::move(*read);
  sequence.name = path;
  if (sequence.images.empty())
    return fail(ErrorKind::not_found,
                is_folder ? "the folder holds no images" : "no file matches this pattern", path,
                "Give a folder of images, a pattern such as cam1/img_%04d.png, or a quoted wildcard such as "
                "'cam1/*.jpg'");
  return sequence;
}

Result<VideoIdentity> identify_images(const ImageSequence& sequence) {
  Hasher hasher;
  VideoIdentity identity;
  const size_t step = std::max<size_t>(1, sequence.images.size() / kMaxHashedImages);
  for (size_t i = 0; i < sequence.images.size(); ++i) {
    const fs::path& image = sequence.images[i];
    std::error_code code;
    const uintmax_t size = image.empty() ? 0 : fs::file_size(image, code);
    hasher.add(static_cast<uint64_t>(code ? 0 : size));
    identity.bytes += static_cast<int64_t>(code ? 0 : size);
    if (i % step != 0 || image.empty()) continue;
    VANTAGE_ASSIGN(const uint64_t hash, file_content_hash(image, 1));
    hasher.add(hash);
  }
  identity.checksum = hasher.value();
  return identity;
}

Result<uint64_t> file_content_hash(const fs::path& path, int samples) {
  std::ifstream file(path, std::ios::binary);
  std::error_code code;
  const uintmax_t size = fs::file_size(path, code);
  if (!file || code)
    return fail(ErrorKind::io, "the file cannot be read", path.string(), "Check its permissions");
  Hasher hasher;
  hasher.add(static_cast<uint64_t>(size));
  std::vector<char> block(kSampleBytes);
  const uintmax_t last = size > kSampleBytes ? size - kSampleBytes : 0;
  for (int i = 0; i < samples; ++i) {
    const uintmax_t offset =
        samples > 1 ? last / static_cast<uintmax_t>(samples - 1) * static_cast<uintmax_t>(i) : 0;
    file.clear();
    file.seekg(static_cast<std::streamoff>(i + 1 == samples && samples > 1 ? last : offset));
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    hasher.bytes(block.data(), static_cast<size_t>(file.gcount()));
    if (last == 0) break;
  }
  return hasher.value();
}

}  // namespace vantage
