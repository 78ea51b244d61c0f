// Numbered image files as a VideoSource. Every image stands alone, so a seek costs nothing.
#include <algorithm>
#include <map>
#include <mutex>

#include "core/base/hash.h"
#include "core/video/detail/frame_decoder.h"
#include "core/video/detail/packet_reader.h"
#include "core/video/detail/sources.h"
#include "core/video/picture_copy.h"

extern "C" {
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
}

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
  info_.order = sequence_.order;
  for (int64_t i = 0; i < frame_count(); ++i)
    if (sequence_.images[static_cast<size_t>(i)].empty())
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
  const std::filesystem::path& image = sequence_.images[static_cast<size_t>(index)];
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

}  // namespace vantage
