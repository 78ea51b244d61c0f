#include "core/live/detail/camera_recorder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/file.h"
#include "core/seal/recording_seal.h"
#include "core/video/segments/segment_index.h"

namespace vantage {
namespace {

constexpr size_t kMaxRecent = 1024;    // packets among which a frame's may be
constexpr int64_t kBack_ms = 5000;     // the stream's clock was set back
constexpr long kIndexBytes = 1 << 20;  // size at which a new file begins

double seconds(int64_t ns) {
  return static_cast<double>(ns) * 1e-9;
}

int64_t to_ms(int64_t ns) {
  return (ns >= 0 ? ns + 500'000 : ns - 500'000) / 1'000'000;
}

}  // namespace

CameraRecorder::CameraRecorder(std::filesystem::path folder, double segment_s,
                               std::shared_ptr<const SigningKey> key)
    : folder_(std::move(folder)), segment_s_(segment_s), seals_{.key = std::move(key)} {}

CameraRecorder::~CameraRecorder() {
  if (index_) std::fclose(index_);
}

// ---- segments

bool CameraRecorder::may_begin(const StreamPacket& packet) {
  if (packet.start) return true;
  if (waiting_ns_ < 0) waiting_ns_ = packet.arrival_ns;
  const double waited_s = seconds(packet.arrival_ns - waiting_ns_);
  return (packet.key && waited_s > kPatience_s / 2) || waited_s > kPatience_s;
}

// A stream's first packets may have no time yet: they are timed by arrival, and the stream's clock continues
// from there.
int64_t CameraRecorder::time_in_segment(const StreamPacket& packet) {
  int64_t since_ns = packet.arrival_ns - last_arrival_ns_ + last_since_ns_;
  if (packet.has_time) {
    if (!std::exchange(timed_, true)) zero_ns_ = packet.time_ns - since_ns;
    since_ns = packet.time_ns - zero_ns_;
  }
  last_arrival_ns_ = packet.arrival_ns, last_since_ns_ = since_ns;
  const int64_t time_ms = to_ms(since_ns);
  return time_ms < 0 ? time_ms : free_time(segments_.back().number, time_ms);
}

// A segment shows one picture at a time.
int64_t CameraRecorder::free_time(int segment, int64_t time_ms) const {
  const auto taken = [&] {
    return std::any_of(recent_.begin(), recent_.end(), [&](const Recent& other) {
      return other.segment == segment && other.time_ms == time_ms;
    });
  };
  while (taken()) ++time_ms;
  return time_ms;
}

Status CameraRecorder::keep_tail(const StreamPacket& next_start) {
  VANTAGE_TRY(end_tail());
  if (!timed_ || !next_start.has_time) return end_segment();
  tail_ = Tail{std::move(writer_), segments_.back().number, zero_ns_, next_start};
  return {};
}

Status CameraRecorder::write_to_tail(const StreamPacket& packet) {
  if (!std::exchange(tail_->has_start, true))
    VANTAGE_TRY(tail_->writer->write(tail_->start, to_ms(tail_->start.time_ns - tail_->zero_ns)));
  const int64_t time_ms = free_time(tail_->segment, to_ms(packet.time_ns - tail_->zero_ns));
  VANTAGE_TRY(tail_->writer->write(packet, time_ms));
  remember({packet.number, tail_->segment, time_ms});
  return {};
}

void CameraRecorder::remember(const Recent& place) {
  recent_.push_back(place);
  if (recent_.size() > kMaxRecent) recent_.pop_front();
}

Status CameraRecorder::begin_segment(const StreamPacket& packet) {
  VANTAGE_ASSIGN(writer_, open_sealed_segment(segment_path(folder_, next_segment_), packet, seals_));
  segments_.push_back({.number = next_segment_++});
  format_ = packet.format;
  broken_ = false;
  timed_ = false;
  begun_ns_ = last_arrival_ns_ = packet.arrival_ns;
  last_since_ns_ = 0;
  waiting_ns_ = -1;
  return {};
}

Status CameraRecorder::end_segment() {
  VANTAGE_TRY(end_tail());
  if (!writer_) return {};
  const Status finished = writer_->finish();
  writer_.reset();
  keep(segments_.back().number);
  return finished;
}

Status CameraRecorder::end_tail() {
  if (!tail_) return {};
  const Status finished = tail_->writer->finish();
  keep(tail_->segment);
  tail_.reset();
  return finished;
}

// Syncs a completed segment to the disk, whatever happens to the next one.
void CameraRecorder::keep(int number) {
  sync_file(segment_path(folder_, number));
  std::error_code ignored;
  for (Segment& segment : segments_)
    if (segment.number == number)
      segment.bytes =
          static_cast<int64_t>(std::filesystem::file_size(segment_path(folder_, number), ignored));
}

Status CameraRecorder::take(const StreamPacket& packet) {
  const bool another = !writer_ || broken_ || packet.format != format_;
  const bool overdue = !another && seconds(packet.arrival_ns - begun_ns_) >= segment_s_;
  if (another) {
    VANTAGE_TRY(end_segment());
    if (!may_begin(packet)) return {};
    VANTAGE_TRY(begin_segment(packet));
  } else if (overdue && may_begin(packet)) {
    VANTAGE_TRY(keep_tail(packet));
    VANTAGE_TRY(begin_segment(packet));
  }
  const int64_t time_ms = time_in_segment(packet);
  if (time_ms < 0) {  // shown before the segment's start, so it cannot be decoded from there
    broken_ = time_ms < -kBack_ms;
    return tail_ && !broken_ ? write_to_tail(packet) : Status();
  }
  if (tail_ && packet.number != tail_->start.number) VANTAGE_TRY(end_tail());
  VANTAGE_TRY(writer_->write(packet, time_ms));
  const int segment = segments_.back().number;
  segments_.back().end_ns = packet.arrival_ns;
  if (packet.start) lines_ += start_line(segment, time_ms);
  remember({packet.number, segment, time_ms});
  return {};
}

// ---- the index

void CameraRecorder::note(int64_t frame, int64_t packet) {
  const auto found = std::lower_bound(recent_.begin(), recent_.end(), packet,
                                      [](const Recent& r, int64_t number) { return r.number < number; });
  if (found == recent_.end() || found->number != packet) return;
  lines_ += picture_line(frame, found->segment, found->time_ms);
  for (Segment& segment : segments_)
    if (segment.number == found->segment && segment.first_frame < 0) segment.first_frame = frame;
  if (!index_files_.empty()) index_files_.back().last_segment = next_segment_ - 1;
}

// Pictures first: everything in the index must exist.
Status CameraRecorder::flush(int64_t frame) {
  if (lines_.empty() && frame == flushed_frame_) return {};
  if (tail_) VANTAGE_TRY(tail_->writer->flush());
  if (writer_) VANTAGE_TRY(writer_->flush());
  flushed_frame_ = frame;
  lines_ += time_line(frame);
  const Status appended = append(frame);
  lines_.clear();
  return appended;
}

Status CameraRecorder::append(int64_t frame) {
  if (index_ && std::ftell(index_) > kIndexBytes) close_index();
  if (!index_) {
    index_files_.push_back({index_path(folder_, frame), next_segment_ - 1});
    index_ = std::fopen(index_files_.back().path.c_str(), "ab");
  }
  if (index_ && std::fwrite(lines_.data(), 1, lines_.size(), index_) == lines_.size() &&
      std::fflush(index_) == 0)
    return {};
  return fail(ErrorKind::io, std::string("the index cannot be written: ") + std::strerror(errno),
              index_files_.back().path.string(), "Free some space or choose another folder.");
}

Status CameraRecorder::finish() {
  const Status ended = end_segment();
  close_index();
  return ended;
}

void CameraRecorder::close_index() {
  if (!index_) return;
  std::fclose(std::exchange(index_, nullptr));
  sync_file(index_files_.back().path);
}

// ---- what is kept

int64_t CameraRecorder::bytes() const {
  int64_t sum = (writer_ ? writer_->bytes() : 0) + (tail_ ? tail_->writer->bytes() : 0);
  for (const Segment& segment : segments_) sum += segment.bytes;
  return sum;
}

int64_t CameraRecorder::first_frame() const {
  for (const Segment& segment : segments_)
    if (segment.first_frame >= 0) return segment.first_frame;
  return -1;
}

std::optional<int64_t> CameraRecorder::oldest_end_ns() const {
  if (segments_.empty() || (segments_.size() == 1 && writer_)) return std::nullopt;
  if (tail_ && segments_.front().number == tail_->segment) return std::nullopt;
  return segments_.front().end_ns;
}

void CameraRecorder::remove_oldest() {
  std::error_code ignored;
  const std::filesystem::path path = segment_path(folder_, segments_.front().number);
  std::filesystem::remove(path, ignored);
  std::filesystem::remove(seal_path(path), ignored);
  segments_.pop_front();
  remove_index_files();
}

void CameraRecorder::remove_index_files() {
  const int first = segments_.empty() ? next_segment_ : segments_.front().number;
  while (index_files_.size() > 1 && index_files_.front().last_segment < first) {
    std::error_code ignored;
    std::filesystem::remove(index_files_.front().path, ignored);
    index_files_.pop_front();
  }
}

}  // namespace vantage
