// A video file as a VideoSource.
//
// A run is a stretch of decoding from one position: the file's beginning or a start of the seek index. Every
// frame that comes out is numbered and checked against the index; a contradiction makes the run restart
// one start earlier, at last at the file's beginning. The rule behind it: rather slow than a wrong frame.
#include <map>
#include <mutex>

#include "core/video/detail/frame_decoder.h"
#include "core/video/detail/seek_index.h"
#include "core/video/detail/sources.h"
#include "core/video/detail/time_grid.h"
#include "core/video/picture_copy.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
}

namespace vantage {
namespace {

std::string pixel_format_name(int format) {
  const char* name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(format));
  return name ? name : "unknown";
}

// A file's pictures may begin a little after its sound, which is no delay; hours are a clock's, not the
// file's.
constexpr double kMinLate_s = 0.1, kMaxLate_s = 60;

class FileSource final : public VideoSource {
 public:
  FileSource(std::string path, VideoOpenOptions options)
      : path_(std::move(path)), options_(std::move(options)), frame_(av::make_frame()) {}

  Status open();
  // As time_grid() has it.
  Result<std::optional<TimeGrid>> grid() const;
  void state_timing(const std::string& timing) {
    const std::lock_guard lock(mutex_);
    info_.timing = timing;
  }

  VideoInfo info() const override;
  Result<DecodedFrame> read() override;
  Status seek(int64_t index) override;
  int64_t start_before(int64_t index) const override {
    const std::optional<SeekIndex::Start> start = index_->start_before(index, 0);
    return start ? start->frame : 0;
  }
  Result<int64_t> wait_for_frame_count(const StopSource& stop) override {
    return index_->wait_until_complete(stop);
  }
  std::vector<std::pair<int64_t, std::string>> problems() const override;
  uint64_t content_hash() const override { return content_hash_; }

 private:
  enum class Verdict { wanted_or_later, earlier, start_again };

  Status begin_run(int64_t frame, int back);
  Status begin_at_file_start();
  void note_start(const AVPacket& packet);
  int64_t lead_ticks() const;
  Result<PictureTimes> picture_times() const;
  Status restart_run(const std::string& why);
  Status advance();
  Status note_end();
  Result<Verdict> number_frame();
  Result<Verdict> number_timed(const AVFrame& frame);
  Result<Verdict> number_counted(const AVFrame& frame);
  Result<bool> agrees_with_play(int64_t number, uint64_t hash);
  Result<DecodedFrame> deliver();
  DecodedFrame missing_frame(int64_t index);
  Result<Picture> take_picture();
  void collect_faults();
  void report_lost_packets(int64_t frame, int64_t before_packet);
  void add_problem(int64_t frame, const std::string& text);
  int64_t time_ns(int64_t pts) const;
  BufferPool& pool() const { return options_.pool ? *options_.pool : HostPool::shared(); }
  std::string lane() const {
    return options_.camera < 0 ? std::string("decode") : "decode cam" + std::to_string(options_.camera + 1);
  }

  const std::string path_;
  VideoOpenOptions options_;
  uint64_t content_hash_ = 0;
  std::string refusal_;  // why the hardware is no longer used

  std::unique_ptr<PacketReader> reader_;
  std::unique_ptr<FrameDecoder> decoder_;
  std::unique_ptr<SeekIndex> index_;
  PictureCopier copier_;
  av::Owned<AVFrame> frame_;   // decoded, not yet delivered
  int64_t frame_number_ = -1;  // of frame_; -1: none is held
  int64_t next_ = 0;           // what read() gives next
  bool ended_ = false;         // the decoder has no more
  int64_t end_ = -1;           // number of frames, once ended_

  // The run in progress.
  bool from_start_ = true;     // began at the file's beginning
  int back_ = 0;               // how many starts before the nearest
  bool run_damaged_ = false;   // the decoder complained in this run
  bool damage_known_ = false;  // ... in any run
  SeekIndex::Start start_;
  bool start_seen_ = false;
  int64_t run_next_ = 0;    // the number its next frame should have
  int64_t run_frames_ = 0;  // frames it has given
  std::map<int64_t, std::string> faults_by_packet_, faults_by_pts_;

  // The file's beginning: the first packet to be shown, and the earliest one in front of the first picture.
  int64_t start_dts_ = kNoTime, start_pts_ = kNoTime;
  int64_t first_pts_ = kNoTime;
  mutable std::mutex mutex_;  // of what follows
  VideoInfo info_;
  std::map<int64_t, std::string> problems_;
};

Status FileSource::open() {
  if (!frame_) return fail(ErrorKind::out_of_memory, "not enough memory to open the video", path_);
  VANTAGE_TRY(begin_at_file_start());
  VANTAGE_ASSIGN(content_hash_, file_content_hash(path_, kContentHashSamples));
  info_.content_hash = content_hash_;
  // The first frame gives the pixel format and the time origin, and shows that there is a picture at all.
  VANTAGE_ASSIGN(const bool more, decoder_->next(*reader_, *frame_));
  if (!more)
    return fail(ErrorKind::bad_data, "no picture of this video can be decoded", path_,
                "Check that it plays elsewhere, or copy it from its source again");
  first_pts_ = frame_->pts;
  collect_faults();
  frame_number_ = 0;
  run_next_ = run_frames_ = 1;
  if (packet_number(*frame_) > 0 && !faults_by_packet_.empty() &&
      faults_by_packet_.begin()->first < packet_number(*frame_))
    add_problem(0, "pictures before the first decodable one were skipped");
  index_ = std::make_unique<SeekIndex>(path_, first_pts_, options_.stop);

  info_.content_hash = content_hash_;
  info_.codec = decoder_->codec_name();
  info_.frame_rate = reader_->frame_rate();
  std::error_code ignored;
  info_.file_bytes = static_cast<int64_t>(std::filesystem::file_size(path_, ignored));
  const AVCodecParameters& parameters = reader_->parameters();
  const int format = decoder_->is_hardware_frame(*frame_) ? parameters.format : frame_->format;
  const PictureFormat upright = upright_format_of(*frame_, format);
  info_.width_px = upright.width;
  info_.height_px = upright.height;
  info_.pixel_format = pixel_format_name(format);
  const AVRational stated = reader_->stream().sample_aspect_ratio, coded = frame_->sample_aspect_ratio;
  const AVRational aspect = stated.num > 0 && stated.den > 0 ? stated : coded;
  if (aspect.num > 0 && aspect.den > 0) info_.pixel_aspect = av_q2d(aspect);
  if ((info_.width_px > info_.height_px) != (frame_->width > frame_->height))
    info_.pixel_aspect = 1 / info_.pixel_aspect;
  info_.conversion = PictureCopier::conversion(*frame_, format);  // hardware frames are treated alike
  info_.decoder = decoder_->description();
  info_.frame_count = reader_->stated_packets();
  if (info_.frame_count <= 0) {
    const AVStream& stream = reader_->stream();
    const bool known = stream.duration > 0 && info_.frame_rate > 0;
    info_.frame_count = known ? static_cast<int64_t>(static_cast<double>(reader_->time_ns(stream.duration)) *
                                                     1e-9 * info_.frame_rate)
                              : -1;
  }
  return {};
}

VideoInfo FileSource::info() const {
  VideoInfo info;
  {
    const std::lock_guard lock(mutex_);
    info = info_;
  }
  info.frame_count_exact = index_->complete();
  const int64_t known = index_->frame_count();
  if (info.frame_count_exact || known > info.frame_count) info.frame_count = known;
  return info;
}

std::vector<std::pair<int64_t, std::string>> FileSource::problems() const {
  std::map<int64_t, std::string> all;
  {
    const std::lock_guard lock(mutex_);
    all = problems_;
  }
  if (const auto whole = index_->file_problem()) all.emplace(*whole);
  return {all.begin(), all.end()};
}

void FileSource::add_problem(int64_t frame, const std::string& text) {
  const std::lock_guard lock(mutex_);
  problems_.emplace(frame, text);
}

// A lost picture has no number of its own where frames are counted: the next frame reports it.
void FileSource::report_lost_packets(int64_t frame, int64_t before_packet) {
  const auto end = faults_by_packet_.lower_bound(before_packet);
  if (end == faults_by_packet_.begin()) return;
  add_problem(frame,
              "a picture before this frame could not be decoded: " + faults_by_packet_.begin()->second);
  faults_by_packet_.erase(faults_by_packet_.begin(), end);
}

int64_t FileSource::time_ns(int64_t pts) const {
  return pts == kNoTime || first_pts_ == kNoTime ? -1 : reader_->time_ns(pts - first_pts_);
}

void FileSource::note_start(const AVPacket& packet) {
  if (first_pts_ != kNoTime || packet.pts == kNoTime || (packet.flags & AV_PKT_FLAG_DISCARD) != 0) return;
  if (start_pts_ == kNoTime) start_dts_ = packet.dts;
  start_pts_ = start_pts_ == kNoTime ? packet.pts : std::min(start_pts_, packet.pts);
}

// How long the file runs before its first picture that can be decoded.
int64_t FileSource::lead_ticks() const {
  if (first_pts_ == kNoTime || start_pts_ == kNoTime) return 0;
  const int64_t file_start = reader_->start_time();
  // A stream that is decoded from the file's start on is shown from there on, however its codec orders
  // pictures.
  const bool late = file_start != kNoTime && start_dts_ != kNoTime && start_dts_ > file_start;
  const int64_t late_ticks = late ? start_pts_ - file_start : 0;
  const double late_s = static_cast<double>(reader_->time_ns(late_ticks)) * 1e-9;
  const bool counts = late_s >= kMinLate_s && late_s <= kMaxLate_s;
  return std::max<int64_t>(0, first_pts_ - start_pts_) + (counts ? late_ticks : 0);
}

// Grids of files that were opened before, by content and first picture: a container without an index is read
// to its end for one.
class KnownGrids {
 public:
  using Key = std::pair<uint64_t, int64_t>;
  // False where the file was not opened before.
  bool find(const Key& key, std::optional<TimeGrid>* grid) const {
    const std::lock_guard lock(mutex_);
    const auto found = grids_.find(key);
    if (found == grids_.end()) return false;
    *grid = found->second;
    return true;
  }
  void keep(const Key& key, const std::optional<TimeGrid>& grid) {
    const std::lock_guard lock(mutex_);
    if (grids_.size() >= kMostFiles) grids_.clear();
    grids_[key] = grid;
  }

 private:
  static constexpr size_t kMostFiles = 256;
  mutable std::mutex mutex_;
  std::map<Key, std::optional<TimeGrid>> grids_;
};

Result<std::optional<TimeGrid>> FileSource::grid() const {
  static KnownGrids known;
  const KnownGrids::Key key = {content_hash_, first_pts_};
  std::optional<TimeGrid> grid;
  if (known.find(key, &grid)) return grid;
  VANTAGE_ASSIGN(const PictureTimes times, picture_times());
  grid = time_grid(times);
  known.keep(key, grid);
  return grid;
}

// None where the container's index shows a constant rate, or they are not known.
Result<PictureTimes> FileSource::picture_times() const {
  PictureTimes pictures;
  pictures.lead_ns = reader_->time_ns(lead_ticks());
  pictures.lead_reason = first_pts_ > start_pts_
                             ? "the file begins without a picture that others can build on"
                             : "the file's pictures begin after it";
  const auto in_ns = [&](const std::vector<int64_t>& ticks) {
    std::vector<int64_t> times_ns;
    for (const int64_t tick : ticks) times_ns.push_back(reader_->time_ns(tick - ticks.front()));
    return times_ns;
  };
  PictureTimes indexed = pictures;
  indexed.times_ns = in_ns(reader_->indexed_times());
  if (!indexed.times_ns.empty() && !time_grid(indexed)) return PictureTimes();
  VANTAGE_ASSIGN(const std::vector<int64_t> times, index_->times());
  pictures.times_ns = in_ns(times);
  return pictures;
}

Status FileSource::begin_at_file_start() {
  FrameDecoderOptions options;
  options.hardware = refusal_.empty() ? options_.hardware : nullptr;
  options.refusal = refusal_;
  options.threads = options_.decoder_threads;
  options.on_packet = [this](const AVPacket& packet, int64_t) { note_start(packet); };
  decoder_.reset();
  VANTAGE_ASSIGN(reader_, PacketReader::open(path_, options_.stop));
  auto decoder = FrameDecoder::open(*reader_, options);
  if (!decoder) {
    Error error = std::move(decoder).error();
    if (error.where.empty()) error.where = path_;
    return fail(std::move(error));
  }
  decoder_ = std::move(*decoder);
  from_start_ = true;
  start_ = {};
  start_seen_ = true;
  frame_number_ = -1;
  run_next_ = run_frames_ = 0;
  run_damaged_ = false;
  ended_ = false;
  faults_by_packet_.clear();
  faults_by_pts_.clear();
  return {};
}

// Decodes on towards `frame` from the back-th start before it.
Status FileSource::begin_run(int64_t frame, int back) {
  back_ = back;
  const std::optional<SeekIndex::Start> start = index_->start_before(frame, back);
  if (!start || !reader_->jump_to(start->packet)) {
    if (options_.stop.stop_requested()) return fail(ErrorKind::cancelled, "seeking was stopped", path_);
    return begin_at_file_start();
  }
  decoder_->flush();
  from_start_ = false;
  start_ = *start;
  start_seen_ = false;
  frame_number_ = -1;
  run_next_ = start_.frame;
  run_frames_ = 0;
  run_damaged_ = false;
  ended_ = false;
  faults_by_packet_.clear();
  faults_by_pts_.clear();
  return {};
}

Status FileSource::seek(int64_t index) {
  if (index < 0) return fail(ErrorKind::invalid_argument, "frame numbers start at 0", path_);
  VANTAGE_ASSIGN(const bool exists, index_->wait_for_frame(index));
  if (!exists)
    return fail(ErrorKind::end_of_stream, "the video ends before frame " + std::to_string(index), path_);
  if (index == next_) return {};
  // Decoding on is right when no start lies between here and there.
  const int64_t here = frame_number_ >= 0 ? frame_number_ : run_next_;
  const bool ahead = index >= here && index >= next_ && !ended_;
  const std::optional<SeekIndex::Start> start = index_->start_before(index, 0);
  next_ = index;
  if (damage_known_ && !index_->counted()) index_->verify();
  if (frame_number_ == index || (ahead && (!start || start->frame <= here))) return {};
  return begin_run(index, 0);
}

// The run contradicts the index: one start earlier, at last from the file's beginning.
Status FileSource::restart_run(const std::string& why) {
  if (from_start_)
    return fail(ErrorKind::bad_data, "the video changes from one reading to the next: " + why, path_);
  return begin_run(next_, 2 * back_ + 1);
}

void FileSource::collect_faults() {
  for (const FrameDecoder::Fault& fault : decoder_->take_faults()) {
    run_damaged_ = damage_known_ = true;
    faults_by_packet_.emplace(fault.packet, fault.reason);
    if (fault.pts != kNoTime) faults_by_pts_.emplace(fault.pts, fault.reason);
  }
}

// For a run that began with a jump, in a file that proved damaged: true if playing from the start gives the
// same, with nothing from run_next_ up to `number`. Hardware conceals damage in its own way, so its frames
// are not compared.
Result<bool> FileSource::agrees_with_play(int64_t number, uint64_t hash) {
  if (from_start_ || !damage_known_ || decoder_->uses_hardware()) return true;
  index_->verify();
  for (int64_t missing = run_next_; missing < number; ++missing) {
    VANTAGE_ASSIGN(const bool agrees, index_->agrees(missing, kNoFrameHash, true));
    if (!agrees) return false;
  }
  if (hash == kNoFrameHash) return true;
  return index_->agrees(number, hash, run_damaged_);
}

Result<FileSource::Verdict> FileSource::number_timed(const AVFrame& frame) {
  VANTAGE_ASSIGN(const std::optional<int64_t> number, index_->frame_at(frame.pts));
  if (!from_start_ && !start_seen_ && number && *number < run_next_)
    return Verdict::earlier;  // displayed before the start, decoded after it
  switch (FrameOrder(run_next_).place(number, run_damaged_)) {
    case FrameOrder::Place::out_of_order:
      return Verdict::earlier;
    case FrameOrder::Place::contradiction:
      if (!from_start_) return Verdict::start_again;
      index_->reject();  // does nothing when it has been already
      return number_counted(frame);
    case FrameOrder::Place::in_order:
      break;
  }
  if (!from_start_ && damage_known_ && !decoder_->uses_hardware()) {
    VANTAGE_ASSIGN(const bool agrees, agrees_with_play(*number, vantage::content_hash(frame) | 1));
    if (!agrees) return Verdict::start_again;
  }
  start_seen_ = true;
  frame_number_ = *number;
  run_next_ = *number + 1;
  return frame_number_ >= next_ ? Verdict::wanted_or_later : Verdict::earlier;
}

Result<FileSource::Verdict> FileSource::number_counted(const AVFrame& frame) {
  if (from_start_) {
    frame_number_ = run_frames_ - 1;
    run_next_ = run_frames_;
    return frame_number_ >= next_ ? Verdict::wanted_or_later : Verdict::earlier;
  }
  VANTAGE_TRY(index_->wait_for_frame(run_next_));
  const std::optional<int64_t> number = index_->frame_from_packet(packet_number(frame));
  if (number && *number < start_.frame && !start_seen_) return Verdict::earlier;
  if (number != run_next_) return Verdict::start_again;
  if (!decoder_->is_hardware_frame(frame) && vantage::content_hash(frame) != index_->hash_of(*number))
    return Verdict::start_again;
  start_seen_ = true;
  frame_number_ = run_next_++;
  return frame_number_ >= next_ ? Verdict::wanted_or_later : Verdict::earlier;
}

Result<FileSource::Verdict> FileSource::number_frame() {
  ++run_frames_;
  collect_faults();
  if (!frame_problem(*frame_).empty()) run_damaged_ = damage_known_ = true;
  return index_->counted() ? number_counted(*frame_) : number_timed(*frame_);
}

Status FileSource::note_end() {
  ended_ = true;
  collect_faults();
  VANTAGE_ASSIGN(end_, index_->wait_until_complete(options_.stop));
  if (index_->counted()) {
    if (run_next_ != end_ && !from_start_) return restart_run("its end differs");
    end_ = from_start_ ? run_next_ : end_;
    report_lost_packets(end_, INT64_MAX);
    return {};
  }
  if (run_next_ == end_) return {};
  if (!run_damaged_ && from_start_) {  // frames that the index promised never came, without any damage: count
    index_->reject();
    end_ = run_next_ = run_frames_;
    return {};
  }
  VANTAGE_ASSIGN(const bool agrees, agrees_with_play(end_, kNoFrameHash));
  if (!run_damaged_ || !agrees) return restart_run("its end differs");
  return {};
}

// Decodes until frame_ holds frame next_ or a later one, or the video has ended.
Status FileSource::advance() {
  while (!ended_ && frame_number_ < next_) {
    if (options_.stop.stop_requested()) return fail(ErrorKind::cancelled, "decoding was stopped", path_);
    VANTAGE_ASSIGN(const bool more, decoder_->next(*reader_, *frame_));
    frame_number_ = -1;
    if (!more) {
      VANTAGE_TRY(note_end());
      continue;
    }
    const bool was_counted = index_->counted();
    VANTAGE_ASSIGN(const Verdict verdict, number_frame());
    if (verdict != Verdict::start_again) continue;
    frame_number_ = -1;
    if (was_counted != index_->counted()) {
      VANTAGE_TRY(index_->wait_for_frame(next_));
      VANTAGE_TRY(begin_run(next_, 0));
    } else {
      VANTAGE_TRY(restart_run("its frames differ"));
    }
  }
  return {};
}

DecodedFrame FileSource::missing_frame(int64_t index) {
  DecodedFrame out;
  out.index = index;
  const int64_t pts = index_->pts_of(index);
  out.time_ns = time_ns(pts);
  const auto fault = faults_by_pts_.find(pts);
  out.problem = "frame " + std::to_string(index) + " could not be decoded" +
                (fault == faults_by_pts_.end() ? std::string() : ": " + fault->second);
  add_problem(index, out.problem);
  return out;
}

Result<Picture> FileSource::take_picture() {
  if (!decoder_->is_hardware_frame(*frame_)) return copier_.copy(*frame_, pool());
  Result<Picture> picture = options_.hardware->copy_out(*frame_, options_.camera, frame_number_);
  av_frame_unref(frame_.get());  // the decoder's surfaces are few
  frame_number_ = -1;
  return picture;
}

Result<DecodedFrame> FileSource::deliver() {
  DecodedFrame out;
  out.index = frame_number_;
  out.time_ns = time_ns(frame_->pts);
  out.problem = frame_problem(*frame_);
  if (const auto fault = faults_by_packet_.find(packet_number(*frame_)); fault != faults_by_packet_.end())
    out.problem = "damaged: " + fault->second;
  if (!out.problem.empty()) add_problem(out.index, out.problem);
  if (index_->counted()) report_lost_packets(out.index, packet_number(*frame_));
  if (options_.native_checksum && !decoder_->is_hardware_frame(*frame_)) {
    VANTAGE_ASSIGN(out.native_md5, native_md5(*frame_));
  }
  VANTAGE_ASSIGN(out.picture, take_picture());
  return out;
}

Result<DecodedFrame> FileSource::read() {
  SpanGuard span(options_.trace, "decode", lane(), next_, options_.camera);
  VANTAGE_TRY(advance());
  if (ended_ && frame_number_ < next_) {
    if (next_ >= end_) return fail(ErrorKind::end_of_stream, "the video has ended", path_);
    return missing_frame(next_++);
  }
  if (frame_number_ > next_) return missing_frame(next_++);
  Result<DecodedFrame> frame = deliver();
  if (!frame && frame.error().kind == ErrorKind::unsupported && decoder_->uses_hardware()) {
    refusal_ = frame.error().message();
    VANTAGE_TRY(begin_at_file_start());
    VANTAGE_TRY(index_->wait_for_frame(next_));
    VANTAGE_TRY(begin_run(next_, 0));
    VANTAGE_TRY(advance());
    frame = deliver();
  }
  if (!frame) return frame;
  const std::string description = decoder_->description();
  {
    const std::lock_guard lock(mutex_);
    if (info_.decoder != description) info_.decoder = description;
  }
  ++next_;
  return frame;
}

}  // namespace

Result<std::unique_ptr<VideoSource>> open_file_source(const std::string& path,
                                                      const VideoOpenOptions& options) {
  auto source = std::make_unique<FileSource>(path, options);
  VANTAGE_TRY(source->open());
  if (options.by_count) return source;
  VANTAGE_ASSIGN(std::optional<TimeGrid> grid, source->grid());
  if (grid && !grid->picture_of_frame.empty()) return make_timed_source(std::move(source), std::move(*grid));
  if (grid) source->state_timing(grid->timing);
  return source;
}

}  // namespace vantage
