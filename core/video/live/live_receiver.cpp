#include "core/video/live/live_receiver.h"

extern "C" {
#include <libavcodec/packet.h>
#include <libavformat/avformat.h>
}

#include <mutex>
#include <set>

#include "core/base/log.h"
#include "core/base/trace.h"
#include "core/video/detail/demuxer.h"

namespace vantage {
namespace {

// MPEG-TS, HTTP and this machine's cameras, through FFmpeg.
class DemuxedReceiver final : public LiveReceiver {
 public:
  explicit DemuxedReceiver(std::unique_ptr<Demuxer> demuxer) : demuxer_(std::move(demuxer)) {}

  Result<bool> next(AVPacket& packet) override {
    av_packet_unref(&packet);
    VANTAGE_ASSIGN(const bool more, demuxer_->read(packet));
    if (!more) return false;
    ++next_number_;
    arrival_.arrival_ns = trace_now_ns();
    return true;
  }
  int64_t next_number() const override { return next_number_; }
  const std::string& end_problem() const override { return demuxer_->end_problem(); }
  const AVCodecParameters& parameters() const override { return *demuxer_->stream().codecpar; }
  AVRational time_base() const override { return demuxer_->stream().time_base; }
  double frame_rate() const override { return demuxer_->frame_rate(); }
  std::optional<DisplayMatrix> display_matrix() const override { return demuxer_->display_matrix(); }
  const PacketArrival& arrival() const override { return arrival_; }

 private:
  const std::unique_ptr<Demuxer> demuxer_;
  int64_t next_number_ = 0;
  PacketArrival arrival_;
};

// Not again whenever the camera is connected again.
void warn_once(const LiveAddress& address) {
  static std::mutex mutex;
  static std::set<std::string> warned;
  const std::lock_guard lock(mutex);
  if (!warned.insert(address.shown()).second) return;
  log_warning(address.shown() + ": the camera's certificate is not checked." +
              (address.protocol == LiveProtocol::rtsp
                   ? " Save it as a PEM file and add #ca=FILE to the address, or #sha256=FINGERPRINT."
                   : " Over https:// it cannot be: use rtsps:// on networks that others use."));
}

}  // namespace

Result<std::unique_ptr<LiveReceiver>> LiveReceiver::open(const LiveAddress& address, const StopSource& stop) {
  if (address.unchecked()) warn_once(address);
  if (address.protocol == LiveProtocol::rtsp) return open_rtsp_receiver(address, stop);
  VANTAGE_ASSIGN(std::unique_ptr<Demuxer> demuxer, Demuxer::open_live(address, stop));
  return std::make_unique<DemuxedReceiver>(std::move(demuxer));
}

}  // namespace vantage
