#include "core/video/detail/packet_reader.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/mathematics.h>
}

#include "core/video/detail/demuxer.h"
#include "core/video/detail/fast_hash.h"

namespace vantage {
namespace {

// After a jump the wanted packet lies within what an index entry of any container misses by.
constexpr int kMaxSearchedPackets = 4096;

}  // namespace

PacketReader::~PacketReader() = default;

PacketIdentity identify(const AVPacket& packet, int64_t number) {
  PacketIdentity identity;
  identity.number = number;
  identity.pts = packet.pts;
  identity.dts = packet.dts;
  identity.position = packet.pos;
  identity.size_bytes = packet.size;
  identity.content = fast_hash(packet.data, static_cast<size_t>(packet.size), 0);
  return identity;
}

Result<std::unique_ptr<PacketReader>> PacketReader::open(const std::string& path, const StopSource& stop) {
  std::unique_ptr<PacketReader> reader(new PacketReader);
  reader->path_ = path;
  reader->held_ = av::make_packet();
  if (!reader->held_) return fail(ErrorKind::out_of_memory, "not enough memory to open the file", path);
  VANTAGE_ASSIGN(reader->demuxer_, Demuxer::open_file(path, stop));
  return reader;
}

Result<bool> PacketReader::next(AVPacket& packet) {
  av_packet_unref(&packet);
  if (holding_) {
    av_packet_move_ref(&packet, held_.get());
    holding_ = false;
    ++next_number_;
    return true;
  }
  VANTAGE_ASSIGN(const bool more, demuxer_->read(packet));
  if (more) ++next_number_;
  return more;
}

bool PacketReader::find_from_here(const PacketIdentity& target) {
  for (int i = 0; i < kMaxSearchedPackets; ++i) {
    av_packet_unref(held_.get());
    const Result<bool> more = demuxer_->read(*held_);
    if (!more || !*more) return false;
    const AVPacket& packet = *held_;
    const bool same_place = packet.pos < 0 || target.position < 0 || packet.pos == target.position;
    if (packet.size == target.size_bytes && same_place &&
        identify(packet, target.number).content == target.content) {
      holding_ = true;
      next_number_ = target.number;
      return true;
    }
    if (packet.pos >= 0 && target.position >= 0 && packet.pos > target.position &&
        (packet.dts == kNoTime || target.dts == kNoTime || packet.dts > target.dts))
      return false;  // past it
  }
  return false;
}

bool PacketReader::jump_to(const PacketIdentity& target) {
  holding_ = false;
  const int64_t time = target.dts != kNoTime ? target.dts : target.pts;
  if (time != kNoTime && demuxer_->seek(time, AVSEEK_FLAG_BACKWARD) && find_from_here(target)) return true;
  if (target.position >= 0 && demuxer_->can_seek_by_bytes() &&
      demuxer_->seek(target.position, AVSEEK_FLAG_BYTE) && find_from_here(target))
    return true;
  if (demuxer_->stop().stop_requested()) return false;
  if (!restart()) return false;  // the sure way: from the beginning, without decoding
  for (int64_t number = 0; number < target.number; ++number) {
    const Result<bool> more = next(*held_);
    if (!more || !*more) return false;
  }
  av_packet_unref(held_.get());
  return true;
}

bool PacketReader::restart() {
  Result<std::unique_ptr<Demuxer>> fresh = Demuxer::open_file(path_, demuxer_->stop());
  if (!fresh) return false;
  demuxer_ = std::move(*fresh);
  next_number_ = 0;
  return true;
}

bool PacketReader::find_time_from_here(int64_t pts) {
  for (;;) {
    av_packet_unref(held_.get());
    const Result<bool> more = demuxer_->read(*held_);
    if (!more || !*more) return false;
    if (held_->pts != pts) continue;
    holding_ = true;
    return true;
  }
}

bool PacketReader::jump_to_time(int64_t pts) {
  holding_ = false;
  if (demuxer_->seek(pts, AVSEEK_FLAG_BACKWARD) && find_time_from_here(pts)) return true;
  return !demuxer_->stop().stop_requested() && restart() && find_time_from_here(pts);
}

const std::string& PacketReader::end_problem() const {
  return demuxer_->end_problem();
}
const AVStream& PacketReader::stream() const {
  return demuxer_->stream();
}
const AVCodecParameters& PacketReader::parameters() const {
  return *stream().codecpar;
}
AVRational PacketReader::time_base() const {
  return stream().time_base;
}
double PacketReader::frame_rate() const {
  return demuxer_->frame_rate();
}
std::optional<DisplayMatrix> PacketReader::display_matrix() const {
  return demuxer_->display_matrix();
}
int64_t PacketReader::start_time() const {
  return demuxer_->start_time();
}

std::vector<int64_t> PacketReader::indexed_times() const {
  return demuxer_->indexed_times();
}

int64_t PacketReader::stated_packets() const {
  return stream().nb_frames;
}

static_assert(kNoTime == AV_NOPTS_VALUE);

int64_t PacketSource::time_ns(int64_t ticks) const {
  return av_rescale_q(ticks, time_base(), AVRational{1, 1000000000});
}

}  // namespace vantage
