#include "core/video/detail/seek_index.h"

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <algorithm>
#include <chrono>

#include "core/video/detail/frame_decoder.h"
#include "core/video/picture_copy.h"

namespace vantage {
namespace {

constexpr auto kStopPollInterval = std::chrono::milliseconds(20);

}  // namespace

SeekIndex::SeekIndex(std::string path, int64_t first_pts, const StopSource& stop)
    : path_(std::move(path)), first_pts_(first_pts), stop_(stop), counted_(first_pts == kNoTime) {
  thread_ = std::thread([this] { run(); });
}

SeekIndex::~SeekIndex() {
  {
    const std::lock_guard lock(mutex_);
    closing_.request_stop();
    scanning_.request_stop();
  }
  changed_.notify_all();
  thread_.join();
}

bool SeekIndex::counted() const {
  const std::lock_guard lock(mutex_);
  return counted_;
}

bool SeekIndex::complete() const {
  const std::lock_guard lock(mutex_);
  return complete_;
}

int64_t SeekIndex::frame_count() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(counted_ ? hashes_.size() : times_.size());
}

std::optional<std::pair<int64_t, std::string>> SeekIndex::file_problem() const {
  const std::lock_guard lock(mutex_);
  return file_problem_;
}

// True when `ready`, false when stopped. The stop flags have no condition variable: they are polled.
bool SeekIndex::wait(std::unique_lock<std::mutex>& lock, const StopSource* also, auto&& ready) const {
  while (!ready() && !error_) {
    if (stop_.stop_requested() || closing_.stop_requested() || (also && also->stop_requested())) return false;
    changed_.wait_for(lock, kStopPollInterval);
  }
  return true;
}

Status SeekIndex::failure() const {
  if (error_) return fail(*error_);
  return fail(ErrorKind::cancelled, "waiting for the video's index was stopped", path_);
}

// Packets to come have a presentation time of at least their decoding time, which rises.
int64_t SeekIndex::settled_frames() const {
  if (complete_ || counted_) return static_cast<int64_t>(counted_ ? hashes_.size() : times_.size());
  return std::lower_bound(times_.begin(), times_.end(), last_dts_) - times_.begin();
}

Result<bool> SeekIndex::wait_for_frame(int64_t frame) const {
  std::unique_lock lock(mutex_);
  if (!wait(lock, nullptr, [&] { return complete_ || settled_frames() > frame; }) || error_)
    return fail(failure().error());
  return settled_frames() > frame;
}

Result<int64_t> SeekIndex::wait_until_complete(const StopSource& stop) const {
  std::unique_lock lock(mutex_);
  const auto done = [&] { return complete_ && (counted_ || verified_ || !verify_); };
  if (!wait(lock, &stop, done) || error_) return fail(failure().error());
  return settled_frames();
}

Result<std::optional<int64_t>> SeekIndex::frame_at(int64_t pts) const {
  std::unique_lock lock(mutex_);
  const auto settled = [&] { return complete_ || counted_ || (last_dts_ != kNoTime && pts < last_dts_); };
  if (!wait(lock, nullptr, settled)) return fail(failure().error());
  if (counted_ || error_) return std::optional<int64_t>{};
  const auto found = std::lower_bound(times_.begin(), times_.end(), pts);
  if (found == times_.end() || *found != pts) return std::optional<int64_t>{};
  return std::optional<int64_t>(found - times_.begin());
}

int64_t SeekIndex::pts_of(int64_t frame) const {
  const std::lock_guard lock(mutex_);
  if (counted_ || frame < 0 || frame >= static_cast<int64_t>(times_.size())) return kNoTime;
  return times_[frame];
}

Result<std::vector<int64_t>> SeekIndex::times() const {
  std::unique_lock lock(mutex_);
  if (!wait(lock, nullptr, [&] { return complete_ || counted_; }) || error_) return fail(failure().error());
  return counted_ ? std::vector<int64_t>() : times_;
}

std::optional<int64_t> SeekIndex::frame_from_packet(int64_t packet) const {
  const std::lock_guard lock(mutex_);
  if (!packets_known_ || packet < 0 || packet >= static_cast<int64_t>(frame_of_packet_.size())) return {};
  const int64_t frame = frame_of_packet_[packet];
  return frame < 0 ? std::nullopt : std::optional(frame);
}

std::optional<uint64_t> SeekIndex::hash_of(int64_t frame) const {
  const std::lock_guard lock(mutex_);
  if (frame < 0 || frame >= static_cast<int64_t>(hashes_.size())) return {};
  return hashes_[frame];
}

void SeekIndex::verify() {
  {
    const std::lock_guard lock(mutex_);
    verify_ = true;
  }
  changed_.notify_all();
}

Result<bool> SeekIndex::agrees(int64_t frame, uint64_t hash, bool wait_for_it) const {
  std::unique_lock lock(mutex_);
  const auto known = [&] { return verified_ || counted_ || static_cast<int64_t>(hashes_.size()) > frame; };
  if (!wait_for_it && !known()) return true;
  if (!wait(lock, nullptr, known) || error_) return fail(failure().error());
  if (counted_) return false;  // the numbering has changed meanwhile
  const uint64_t played = frame < static_cast<int64_t>(hashes_.size()) ? hashes_[frame] : kNoFrameHash;
  return played == hash;
}

std::optional<SeekIndex::Start> SeekIndex::start_before(int64_t frame, int back) const {
  const std::lock_guard lock(mutex_);
  if (counted_) {
    if (!packets_known_) return {};
    const auto end = std::upper_bound(counted_starts_.begin(), counted_starts_.end(), frame,
                                      [](int64_t f, const Start& start) { return f < start.frame; });
    return end - counted_starts_.begin() > back ? std::optional(*(end - 1 - back)) : std::nullopt;
  }
  if (frame < 0 || frame >= static_cast<int64_t>(times_.size())) return {};
  const auto end = std::upper_bound(timed_starts_.begin(), timed_starts_.end(), times_[frame],
                                    [](int64_t pts, const TimedStart& start) { return pts < start.pts; });
  if (end - timed_starts_.begin() <= back) return {};
  const TimedStart& start = *(end - 1 - back);
  return Start{start.packet, std::lower_bound(times_.begin(), times_.end(), start.pts) - times_.begin()};
}

void SeekIndex::reject() {
  {
    const std::lock_guard lock(mutex_);
    if (counted_) return;
    counted_ = true;
    complete_ = false;
    hashes_.clear();
    file_problem_.reset();
    scanning_.request_stop();
  }
  changed_.notify_all();
}

bool SeekIndex::interrupted() const {
  return stop_.stop_requested() || closing_.stop_requested();
}

void SeekIndex::run() {
  Status status;
  if (!counted()) status = scan();
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (!status && !counted_ && !interrupted()) error_ = status.error();
      changed_.notify_all();
      // The playback may yet find damage, or that the index is wrong.
      while (!counted_ && (!verify_ || verified_ || error_) && !interrupted())
        changed_.wait_for(lock, kStopPollInterval);
      if (interrupted()) return;
      if (counted_) break;
    }
    status = check();
  }
  status = count();
  const std::lock_guard lock(mutex_);
  if (!status && !interrupted()) error_ = status.error();
  changed_.notify_all();
}

void SeekIndex::finish(const PacketReader& reader) {
  const int64_t frames = static_cast<int64_t>(counted_ ? hashes_.size() : times_.size());
  const int64_t packets = reader.next_number(), stated = reader.stated_packets();
  if (stated > packets) {
    file_problem_ = {frames, "the file is cut off: " + std::to_string(packets) + " of the " +
                                 std::to_string(stated) + " frames stated by its index are present"};
  } else if (!reader.end_problem().empty()) {
    file_problem_ = {frames, reader.end_problem()};
  }
  complete_ = true;
  changed_.notify_all();
}

Status SeekIndex::scan() {
  VANTAGE_ASSIGN(const std::unique_ptr<PacketReader> reader, PacketReader::open(path_, scanning_));
  PacketInspector inspector(reader->parameters());
  const av::Owned<AVPacket> packet = av::make_packet();
  if (!packet) return fail(ErrorKind::out_of_memory, "not enough memory to index the video", path_);
  for (;;) {
    if (interrupted()) return fail(ErrorKind::cancelled, "indexing was stopped", path_);
    VANTAGE_ASSIGN(const bool more, reader->next(*packet));
    const std::lock_guard lock(mutex_);
    if (counted_) return {};
    if (!more) {
      finish(*reader);
      return {};
    }
    const PacketTraits traits = inspector.inspect(*packet);
    if (!add_packet(*packet, traits, reader->next_number() - 1)) {
      counted_ = true;
      changed_.notify_all();
      return {};
    }
    changed_.notify_all();
  }
}

// False when frames cannot be numbered by their times.
bool SeekIndex::add_packet(const AVPacket& packet, const PacketTraits& traits, int64_t number) {
  if (traits.content == PacketContent::irregular || packet.pts == kNoTime) return false;
  const bool shown = traits.content == PacketContent::frame && (packet.flags & AV_PKT_FLAG_DISCARD) == 0;
  if (shown && packet.pts >= first_pts_) {
    if (last_dts_ != kNoTime && packet.pts < last_dts_) return false;  // its position was thought settled
    auto place = times_.end();
    while (place != times_.begin() && *(place - 1) >= packet.pts) --place;
    if (place != times_.end() && *place == packet.pts) return false;
    times_.insert(place, packet.pts);
  }
  if (packet.dts != kNoTime) last_dts_ = std::max(last_dts_, packet.dts);
  if (traits.start_point) {
    if (!timed_starts_.empty() && timed_starts_.back().pts >= packet.pts)
      return true;  // only rising ones are used
    timed_starts_.push_back({identify(packet, number), packet.pts});
  }
  return true;
}

Status SeekIndex::count() {
  VANTAGE_ASSIGN(const std::unique_ptr<PacketReader> reader, PacketReader::open(path_, closing_));
  PacketInspector inspector(reader->parameters());
  FrameDecoderOptions options;
  options.on_packet = [&](const AVPacket& packet, int64_t number) {
    if ((packet.flags & AV_PKT_FLAG_KEY) != 0 && inspector.inspect(packet).start_point)
      start_candidates_.emplace(number, identify(packet, number));
  };
  VANTAGE_ASSIGN(const std::unique_ptr<FrameDecoder> decoder, FrameDecoder::open(*reader, options));
  const av::Owned<AVFrame> frame = av::make_frame();
  if (!frame) return fail(ErrorKind::out_of_memory, "not enough memory to index the video", path_);
  for (;;) {
    if (interrupted()) return fail(ErrorKind::cancelled, "indexing was stopped", path_);
    VANTAGE_ASSIGN(const bool more, decoder->next(*reader, *frame));
    if (!more) break;
    add_counted(*frame);
  }
  const std::lock_guard lock(mutex_);
  finish(*reader);
  return {};
}

void SeekIndex::add_checked(int64_t number, uint64_t hash) {
  const std::lock_guard lock(mutex_);
  if (counted_) return;
  hashes_.resize(number, kNoFrameHash);
  hashes_.push_back(hash);
  changed_.notify_all();
}

// Decodes a damaged timed file once, as play does.
Status SeekIndex::check() {
  VANTAGE_ASSIGN(const std::unique_ptr<PacketReader> reader, PacketReader::open(path_, scanning_));
  VANTAGE_ASSIGN(const std::unique_ptr<FrameDecoder> decoder, FrameDecoder::open(*reader, {}));
  const av::Owned<AVFrame> frame = av::make_frame();
  if (!frame) return fail(ErrorKind::out_of_memory, "not enough memory to check the video", path_);
  FrameOrder order;
  bool damage_seen = false;
  for (;;) {
    VANTAGE_ASSIGN(const bool more, decoder->next(*reader, *frame));
    if (!more) break;
    damage_seen = damage_seen || !decoder->take_faults().empty() || !frame_problem(*frame).empty();
    VANTAGE_ASSIGN(const std::optional<int64_t> number, frame_at(frame->pts));
    const FrameOrder::Place place = order.place(number, damage_seen);
    if (place == FrameOrder::Place::contradiction) {
      reject();
      return {};
    }
    if (place == FrameOrder::Place::in_order) add_checked(*number, content_hash(*frame) | 1);
  }
  if (order.next() < frame_count() && !damage_seen) {
    reject();
    return {};
  }
  const std::lock_guard lock(mutex_);
  verified_ = true;
  changed_.notify_all();
  return {};
}

void SeekIndex::add_counted(const AVFrame& frame) {
  const uint64_t hash = content_hash(frame);
  const int64_t packet = packet_number(frame);
  const std::lock_guard lock(mutex_);
  const auto number = static_cast<int64_t>(hashes_.size());
  hashes_.push_back(hash);
  if (packet < 0 || packet > (int64_t{1} << 40)) {
    packets_known_ = false;
  } else if (packets_known_) {
    if (static_cast<int64_t>(frame_of_packet_.size()) <= packet)
      frame_of_packet_.resize(static_cast<size_t>(packet) + 1, -1);
    int64_t& slot = frame_of_packet_[packet];
    if (slot >= 0) packets_known_ = false;  // two frames of one packet: they cannot be told apart
    slot = number;
    const auto candidate = start_candidates_.find(packet);
    if (candidate != start_candidates_.end() && is_key_frame(frame) && frame_problem(frame).empty())
      counted_starts_.push_back({candidate->second, number});
    start_candidates_.erase(packet);
  }
  changed_.notify_all();
}

}  // namespace vantage
