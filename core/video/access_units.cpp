#include "core/video/access_units.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
}

#include <algorithm>
#include <cmath>

#include "core/base/clock.h"
#include "core/video/detail/packet_reader.h"

namespace vantage {
namespace {

const char* byte_stream_filter(AVCodecID codec) {
  if (codec == AV_CODEC_ID_H264) return "h264_mp4toannexb";
  if (codec == AV_CODEC_ID_HEVC) return "hevc_mp4toannexb";
  return "null";
}

class PacketUnits final : public AccessUnitReader {
 public:
  PacketUnits(std::string path, StopSource stop) : path_(std::move(path)), stop_(std::move(stop)) {}

  Status open() {
    VANTAGE_TRY(rewind());
    const AVCodecParameters& parameters = reader_->parameters();
    facts_.codec = avcodec_get_name(parameters.codec_id);
    if (facts_.codec != "h264" && facts_.codec != "hevc" && facts_.codec != "mjpeg" &&
        facts_.codec != "mpeg4")
      return fail(ErrorKind::unsupported, "a test camera cannot send " + facts_.codec, path_,
                  "Convert the video to H.264.");
    facts_.width_px = parameters.width, facts_.height_px = parameters.height;
    facts_.frame_rate = reader_->frame_rate() > 0 ? reader_->frame_rate() : kUnknownFrameRate;
    VANTAGE_TRY(survey());
    return rewind();
  }

  const AccessUnitFacts& facts() const override { return facts_; }

  Status rewind() override {
    VANTAGE_ASSIGN(reader_, PacketReader::open(path_, stop_));
    packet_ = av::make_packet();
    if (!packet_) return fail(ErrorKind::out_of_memory, "not enough memory to read the video", path_);
    last_send_ns_ = 0;
    return make_filter();
  }

  Result<bool> next(AccessUnit* unit) override {
    VANTAGE_ASSIGN(const bool more, reader_->next(*packet_));
    if (!more) return false;
    unit->number = reader_->next_number() - 1;
    unit->capture_ns = capture_ns(unit->number);
    unit->send_ns = std::max({last_send_ns_, decode_ns(unit->number) + reorder_ns_, unit->capture_ns});
    last_send_ns_ = unit->send_ns;
    unit->key = (packet_->flags & AV_PKT_FLAG_KEY) != 0;
    if (av_bsf_send_packet(filter_.get(), packet_.get()) < 0 ||
        av_bsf_receive_packet(filter_.get(), packet_.get()) < 0)
      return fail(ErrorKind::bad_data, "a compressed picture is damaged", path_,
                  "Check that the video plays elsewhere.");
    unit->bytes.assign(packet_->data, packet_->data + packet_->size);
    return true;
  }

 private:
  Status make_filter() {
    const AVCodecParameters& parameters = reader_->parameters();
    AVBSFContext* filter = nullptr;
    const AVBitStreamFilter* kind = av_bsf_get_by_name(byte_stream_filter(parameters.codec_id));
    if (!kind || av_bsf_alloc(kind, &filter) < 0)
      return fail(ErrorKind::unsupported, "this FFmpeg cannot make a byte stream of the video", path_);
    filter_.reset(filter);
    filter->time_base_in = reader_->time_base();
    if (avcodec_parameters_copy(filter->par_in, &parameters) < 0 || av_bsf_init(filter) < 0)
      return fail(ErrorKind::bad_data, "the video's parameter sets are damaged", path_);
    return {};
  }

  int64_t by_rate(int64_t number) const {
    return std::llround(static_cast<double>(number) / facts_.frame_rate * 1e9);
  }
  int64_t capture_ns(int64_t number) const {
    const int64_t time = packet_->pts != kNoTime ? packet_->pts : packet_->dts;
    return time == kNoTime ? by_rate(number) : reader_->time_ns(time - first_pts_);
  }
  int64_t decode_ns(int64_t number) const {
    return packet_->dts == kNoTime ? capture_ns(number) : reader_->time_ns(packet_->dts - first_pts_);
  }

  // Number of pictures, the first one's time, and how long the longest reordering holds one back.
  Status survey() {
    int64_t first = INT64_MAX, max_ticks = 0;
    for (;;) {
      VANTAGE_ASSIGN(const bool more, reader_->next(*packet_));
      if (!more) break;
      ++facts_.count;
      const int64_t time = packet_->pts != kNoTime ? packet_->pts : packet_->dts;
      if (time == kNoTime) continue;
      first = std::min(first, time);
      if (packet_->dts != kNoTime) max_ticks = std::max(max_ticks, time - packet_->dts);
    }
    if (facts_.count == 0)
      return fail(ErrorKind::bad_data, "holds no picture", path_, "Choose another video.");
    first_pts_ = first == INT64_MAX ? 0 : first;
    reorder_ns_ = reader_->time_ns(max_ticks);
    facts_.duration_ns = by_rate(facts_.count);
    return {};
  }

  const std::string path_;
  const StopSource stop_;
  AccessUnitFacts facts_;
  std::unique_ptr<PacketReader> reader_;
  av::Owned<AVBSFContext> filter_;
  av::Owned<AVPacket> packet_;
  int64_t first_pts_ = 0, reorder_ns_ = 0, last_send_ns_ = 0;
};

}  // namespace

Result<std::unique_ptr<AccessUnitReader>> AccessUnitReader::open(const std::string& path,
                                                                 const StopSource& stop) {
  auto reader = std::make_unique<PacketUnits>(path, stop);
  VANTAGE_TRY(reader->open());
  return reader;
}

}  // namespace vantage
