// A recorded live camera as a VideoSource: the pictures of its segments by the instants of the index. It may
// be read while it is being recorded; its end then moves.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <map>
#include <mutex>

#include "core/video/detail/frame_decoder.h"
#include "core/video/detail/packet_reader.h"
#include "core/video/detail/sources.h"
#include "core/video/picture_copy.h"
#include "core/video/segments/segment_index.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/pixdesc.h>
}

namespace vantage {
namespace {

constexpr int64_t kLook_ns = 100'000'000;  // at the index, while it grows
constexpr int64_t kDecodeOn_ms = 2000;     // farther ahead a jump to a start is quicker
constexpr size_t kMaxProblems = 4096;

// The program that records holds a lock on the header.
bool is_locked(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool locked = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return locked;
}

class SegmentsSource final : public VideoSource {
 public:
  SegmentsSource(std::string path, VideoOpenOptions options)
      : path_(std::move(path)),
        folder_(segments_folder(path_)),
        options_(std::move(options)),
        frame_(av::make_frame()),
        index_(folder_) {}

  Status open();

  VideoInfo info() const override;
  Result<DecodedFrame> read() override;
  Status seek(int64_t index) override;
  Result<int64_t> wait_for_frame_count(const StopSource&) override { return end(); }
  std::vector<std::pair<int64_t, std::string>> problems() const override {
    const std::lock_guard lock(mutex_);
    return {problems_.begin(), problems_.end()};
  }
  uint64_t content_hash() const override { return header_.checksum; }

 private:
  using Place = SegmentIndex::Place;

  void look() const;  // with the mutex
  int64_t end() const {
    const std::lock_guard lock(mutex_);
    look();
    return index_.end();
  }
  Result<bool> bring(const Place& place);
  Result<bool> decode_to(const Place& place);
  Status go_to(const Place& place);
  Place start_before(const Place& place) const;
  Status start_at(const Place& start);
  Status open_segment(int segment);
  Status take_picture();
  void describe();
  bool is_gone(int64_t frame, const Place& place) const;
  int64_t time_ms() const { return (reader_->time_ns(frame_->pts) + 500'000) / 1'000'000; }

  const std::string path_;
  const std::filesystem::path folder_;
  const VideoOpenOptions options_;
  SegmentsHeader header_;
  std::string refusal_;  // why the hardware is no longer used

  std::unique_ptr<PacketReader> reader_;
  std::unique_ptr<FrameDecoder> decoder_;
  PictureCopier copier_;
  av::Owned<AVFrame> frame_;
  int segment_ = -1;        // that is open
  bool ended_ = false;      // it has no more, or had none at that time
  int64_t passed_ms_ = -1;  // every picture up to here has been decoded, or lies before the jump
  bool holding_ = false;    // frame_ is the next one
  int64_t started_ms_ = 0;  // where decoding began
  int64_t next_ = 0;
  Place shown_;  // what picture_ is of
  Picture picture_;
  std::string damage_;  // what was wrong with it

  mutable std::mutex mutex_;  // of what follows
  mutable SegmentIndex index_;
  mutable bool growing_ = true;
  mutable int64_t looked_ns_ = INT64_MIN / 2;
  VideoInfo info_;
  std::map<int64_t, std::string> problems_;
};

Status SegmentsSource::open() {
  if (!frame_) return fail(ErrorKind::out_of_memory, "not enough memory to open the recording", path_);
  VANTAGE_ASSIGN(header_, read_segments_header(path_));
  info_.codec = header_.codec;
  info_.width_px = header_.width_px, info_.height_px = header_.height_px;
  info_.frame_rate = header_.frame_rate;
  info_.content_hash = header_.checksum;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored))
    info_.file_bytes += static_cast<int64_t>(entry.file_size(ignored));
  // The first picture tells the decoder and the pixel format.
  const int64_t last = end();
  for (int64_t frame = index_.begin(); frame >= 0 && frame < last; ++frame) {
    const Place place = index_.at(frame);
    if (place.segment < 0 || is_gone(frame, place)) continue;
    const Result<bool> there = bring(place);
    if (!there && there.error().kind == ErrorKind::cancelled) return fail(there.error());
    break;
  }
  return {};
}

void SegmentsSource::look() const {
  const int64_t now = trace_now_ns();
  if (!growing_ || now - looked_ns_ < kLook_ns) return;
  looked_ns_ = now;
  growing_ = is_locked(path_);  // before reading: what is no longer locked is complete
  index_.refresh();
}

VideoInfo SegmentsSource::info() const {
  const std::lock_guard lock(mutex_);
  look();
  VideoInfo info = info_;
  info.frame_count = index_.end();
  info.frame_count_exact = !growing_;
  return info;
}

Status SegmentsSource::seek(int64_t index) {
  if (index < 0) return fail(ErrorKind::invalid_argument, "frame numbers start at 0", path_);
  if (index >= end())
    return fail(ErrorKind::end_of_stream, "the recording ends before frame " + std::to_string(index), path_);
  next_ = index;
  return {};
}

bool SegmentsSource::is_gone(int64_t frame, const Place& place) const {
  std::error_code ignored;
  if (place.segment < 0) return frame < index_.begin();
  return place.segment != segment_ && !std::filesystem::exists(segment_path(folder_, place.segment), ignored);
}

Result<DecodedFrame> SegmentsSource::read() {
  SpanGuard span(options_.trace, "decode",
                 options_.camera < 0 ? "decode" : "decode cam" + std::to_string(options_.camera + 1), next_,
                 options_.camera);
  if (next_ >= end()) return fail(ErrorKind::end_of_stream, "the recording has ended", path_);
  DecodedFrame out;
  out.index = next_++;
  out.time_ns = std::llround(static_cast<double>(out.index) / header_.frame_rate * 1e9);
  Place place;
  bool gone = false;
  {
    const std::lock_guard lock(mutex_);
    place = index_.at(out.index);
    gone = is_gone(out.index, place);
  }
  if (gone || place.segment < 0) {
    out.problem =
        gone ? "this part of the recording is no longer kept" : "no picture of this instant was recorded";
    return out;
  }
  const Result<bool> there = bring(place);
  if (!there && (there.error().kind == ErrorKind::cancelled || there.error().kind == ErrorKind::device_lost ||
                 there.error().kind == ErrorKind::out_of_memory))
    return fail(there.error());
  if (there && *there) {
    out.picture = picture_;
    out.problem = damage_;
  } else {
    out.problem = there ? "this picture of the recording cannot be decoded" : there.error().what;
  }
  const std::lock_guard lock(mutex_);
  if (!out.problem.empty() && problems_.size() < kMaxProblems) problems_.emplace(out.index, out.problem);
  return out;
}

// False: there is no such picture in the segment. A decoder that has just begun may withhold pictures close
// behind the start that one which comes from further back gives: then it begins at the start before.
Result<bool> SegmentsSource::bring(const Place& place) {
  if (place == shown_ && picture_) return true;
  VANTAGE_TRY(go_to(place));
  VANTAGE_ASSIGN(const bool there, decode_to(place));
  if (there || started_ms_ == 0) return there;
  VANTAGE_TRY(start_at(start_before({place.segment, static_cast<int32_t>(started_ms_ - 1)})));
  return decode_to(place);
}

// Decodes on from where the decoder is.
Result<bool> SegmentsSource::decode_to(const Place& place) {
  for (;;) {
    if (options_.stop.stop_requested()) return fail(ErrorKind::cancelled, "decoding was stopped", path_);
    if (!holding_) {
      VANTAGE_ASSIGN(holding_, decoder_->next(*reader_, *frame_));
      ended_ = !holding_;
      if (ended_) return false;
    }
    const int64_t time = time_ms();
    if (time > place.time_ms) return false;
    holding_ = false;
    passed_ms_ = std::max(passed_ms_, time);
    if (time < place.time_ms) continue;
    const Status taken = take_picture();
    if (taken) {
      shown_ = place;
      return true;
    }
    if (taken.error().kind != ErrorKind::unsupported || !decoder_->uses_hardware())
      return fail(taken.error());
    refusal_ = taken.error().message();
    segment_ = -1;
    VANTAGE_TRY(go_to(place));
  }
}

// Decodes on where that is near, otherwise from the last start before the position.
Status SegmentsSource::go_to(const Place& place) {
  const Place start = start_before(place);
  const bool ahead = place.segment == segment_ && !ended_ && place.time_ms > passed_ms_;
  if (ahead && (place.time_ms - passed_ms_ <= kDecodeOn_ms || start.time_ms <= passed_ms_)) return {};
  return start_at(start);
}

SegmentsSource::Place SegmentsSource::start_before(const Place& place) const {
  const std::lock_guard lock(mutex_);
  return index_.start_before(place);
}

Status SegmentsSource::start_at(const Place& start) {
  if (start.segment != segment_ || ended_) VANTAGE_TRY(open_segment(start.segment));
  holding_ = false;
  started_ms_ = start.time_ms;
  passed_ms_ = start.time_ms - 1;
  if (reader_->next_number() == 0 && start.time_ms == 0) return {};
  decoder_->flush();
  if (reader_->jump_to_time(start.time_ms)) return {};
  segment_ = -1;
  if (options_.stop.stop_requested()) return fail(ErrorKind::cancelled, "decoding was stopped", path_);
  return fail(ErrorKind::bad_data, "the segment is damaged", segment_path(folder_, start.segment).string());
}

Status SegmentsSource::open_segment(int segment) {
  segment_ = -1;
  holding_ = false;
  VANTAGE_ASSIGN(reader_, PacketReader::open(segment_path(folder_, segment).string(), options_.stop));
  FrameDecoderOptions options;
  options.hardware = refusal_.empty() ? options_.hardware : nullptr;
  options.refusal = refusal_;
  options.threads = options_.decoder_threads;
  VANTAGE_ASSIGN(decoder_, FrameDecoder::open(*reader_, options));
  segment_ = segment;
  ended_ = false;
  return {};
}

Status SegmentsSource::take_picture() {
  damage_ = frame_problem(*frame_);
  describe();
  BufferPool& pool = options_.pool ? *options_.pool : HostPool::shared();
  if (!decoder_->is_hardware_frame(*frame_)) {
    VANTAGE_ASSIGN(picture_, copier_.copy_at(*frame_, header_.width_px, header_.height_px, pool));
    return {};
  }
  const PictureFormat upright = upright_format_of(*frame_, frame_->format);
  if (upright.width != header_.width_px || upright.height != header_.height_px)
    return fail(ErrorKind::unsupported, "hardware does not scale pictures");
  VANTAGE_ASSIGN(picture_, options_.hardware->copy_out(*frame_, options_.camera, next_));
  av_frame_unref(frame_.get());  // the decoder's surfaces are few
  return {};
}

void SegmentsSource::describe() {
  const std::lock_guard lock(mutex_);
  info_.decoder = decoder_->description();
  info_.codec = decoder_->codec_name();
  const bool hardware = decoder_->is_hardware_frame(*frame_);
  const int format = hardware ? reader_->parameters().format : frame_->format;
  const char* name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(format));
  info_.pixel_format = name ? name : "unknown";
  info_.conversion = PictureCopier::conversion(*frame_, format);
}

}  // namespace

Result<std::unique_ptr<VideoSource>> open_segments_source(const std::string& path,
                                                          const VideoOpenOptions& options) {
  auto source = std::make_unique<SegmentsSource>(path, options);
  VANTAGE_TRY(source->open());
  return source;
}

}  // namespace vantage
