extern "C" {
#include <libavcodec/avcodec.h>
}

#include <algorithm>
#include <cerrno>
#include <deque>
#include <iterator>
#include <mutex>
#include <set>

#include "core/base/log.h"
#include "core/base/trace.h"
#include "core/video/detail/packet_inspector.h"
#include "core/video/live/live_receiver.h"
#include "core/video/live/rtsp_pipeline.h"

namespace vantage {
namespace {

constexpr size_t kPicturesForRate = 5;

// The beginnings of the second and later pictures of an MPEG-4 packet: small ones may share one.
std::vector<int> further_pictures(const AVPacket& packet) {
  constexpr uint8_t kPicture = 0xb6, kGroup = 0xb3, kSequence = 0xb0, kLastLayer = 0x2f;
  std::vector<int> places;
  bool complete = false;
  for (int i = 0; i + 3 < packet.size; ++i) {
    const uint8_t* code = packet.data + i;
    if (code[0] != 0 || code[1] != 0 || code[2] != 1) continue;
    const bool begins =
        code[3] == kPicture || code[3] == kGroup || code[3] == kSequence || code[3] <= kLastLayer;
    if (complete && begins) places.push_back(i), complete = false;
    complete = complete || code[3] == kPicture;
  }
  return places;
}

class RtspReceiver final : public LiveReceiver {
 public:
  RtspReceiver(LiveAddress address, StopSource stop) : address_(std::move(address)), stop_(std::move(stop)) {}

  Status open();
  Result<bool> next(AVPacket& packet) override;
  int64_t next_number() const override { return next_number_; }
  const std::string& end_problem() const override { return end_problem_; }
  const AVCodecParameters& parameters() const override { return *parameters_; }
  AVRational time_base() const override { return {1, clock_rate_}; }
  double frame_rate() const override { return frame_rate_; }
  const PacketArrival& arrival() const override { return arrival_; }

 private:
  static int64_t moment_in(double seconds) { return trace_now_ns() + static_cast<int64_t>(seconds * 1e9); }
  Error why_not() const;
  void add(RtspPicture picture);
  Result<StreamProbe> find_parameters(int64_t deadline_ns);
  void measure_rate(int64_t deadline_ns);
  Status prepare_key_search();
  bool is_key(const AVPacket& packet);

  const LiveAddress address_;
  const StopSource stop_;
  std::unique_ptr<RtspPipeline> pipeline_;
  av::Owned<AVCodecParameters> parameters_;
  int clock_rate_ = 0;
  double frame_rate_ = 0;
  std::deque<RtspPicture> ready_;  // given out next
  bool only_key_pictures_ = false;
  av::Owned<AVCodecContext> context_;  // never opened: holds the parameter sets for the parser
  av::Owned<AVCodecParserContext> parser_;
  int64_t next_number_ = 0;
  PacketArrival arrival_;
  std::string end_problem_;
};

// Why there was no picture in time.
Error RtspReceiver::why_not() const {
  if (stop_.stop_requested()) return {ErrorKind::cancelled, "opening was stopped", address_.shown(), {}};
  const int code = pipeline_->failure();
  if (code == AVERROR(ENOTCONN)) return live_error(address_, connection_failure(address_.url), false);
  if (code != 0 || pipeline_->ended()) return live_error(address_, code != 0 ? code : AVERROR_EOF, false);
  return live_error(address_, 0, true);
}

// Only the first of pictures that share a packet has a time.
void RtspReceiver::add(RtspPicture picture) {
  std::vector<int> places;
  if (pipeline_->stream().codec == AV_CODEC_ID_MPEG4) places = further_pictures(*picture.packet);
  std::vector<RtspPicture> further;
  for (size_t i = 0; i < places.size(); ++i) {
    RtspPicture& next = further.emplace_back();
    const int end = i + 1 < places.size() ? places[i + 1] : picture.packet->size;
    next.packet = av::make_packet();
    if (!next.packet || av_new_packet(next.packet.get(), end - places[i]) < 0) return;
    std::copy_n(picture.packet->data + places[i], end - places[i], next.packet->data);
    next.arrival = picture.arrival;
    next.arrival.sender_utc_ns = kNoTime;
  }
  if (!places.empty()) av_shrink_packet(picture.packet.get(), places.front());
  ready_.push_back(std::move(picture));
  std::move(further.begin(), further.end(), std::back_inserter(ready_));
}

// Packets before the first parameter sets cannot be decoded by anybody.
Result<StreamProbe> RtspReceiver::find_parameters(int64_t deadline_ns) {
  std::optional<StreamProbe> probe;
  while (std::optional<RtspPicture> picture = pipeline_->next(deadline_ns, stop_)) {
    if (!probe) {
      const RtspStream stream = pipeline_->stream();
      clock_rate_ = stream.clock_rate;
      frame_rate_ = stream.stated_rate;
      VANTAGE_ASSIGN(probe, StreamProbe::make(stream.codec, stream.configuration));
    }
    if (!probe->look(*picture->packet)) continue;
    add(std::move(*picture));
    return std::move(*probe);
  }
  return fail(why_not());
}

// Measures the rate by the smallest step between the first pictures, where it is not stated.
void RtspReceiver::measure_rate(int64_t deadline_ns) {
  std::vector<int64_t> times;
  while (ready_.size() < kPicturesForRate) {
    std::optional<RtspPicture> picture = pipeline_->next(deadline_ns, stop_);
    if (!picture) return;
    add(std::move(*picture));
  }
  for (const RtspPicture& picture : ready_)
    if (picture.packet->pts != kNoTime) times.push_back(picture.packet->pts);
  std::sort(times.begin(), times.end());
  int64_t smallest = INT64_MAX;
  for (size_t i = 1; i < times.size(); ++i)
    if (times[i] > times[i - 1]) smallest = std::min(smallest, times[i] - times[i - 1]);
  if (smallest < INT64_MAX) frame_rate_ = static_cast<double>(clock_rate_) / static_cast<double>(smallest);
}

Status RtspReceiver::prepare_key_search() {
  const AVCodecDescriptor* descriptor = avcodec_descriptor_get(parameters_->codec_id);
  only_key_pictures_ = descriptor && (descriptor->props & AV_CODEC_PROP_INTRA_ONLY) != 0;
  context_.reset(avcodec_alloc_context3(nullptr));
  parser_.reset(av_parser_init(parameters_->codec_id));
  if (!context_ || !parser_ || avcodec_parameters_to_context(context_.get(), parameters_.get()) < 0)
    return fail(ErrorKind::out_of_memory, "not enough memory to open the stream", address_.shown());
  parser_->flags |= PARSER_FLAG_COMPLETE_FRAMES;
  return {};
}

Status RtspReceiver::open() {
  const int64_t deadline = moment_in(address_.open_limit_s);
  VANTAGE_ASSIGN(pipeline_, RtspPipeline::start(address_));
  VANTAGE_ASSIGN(StreamProbe probe, find_parameters(deadline));
  parameters_ = probe.take_parameters();
  if (frame_rate_ <= 0) frame_rate_ = probe.frame_rate();
  if (frame_rate_ <= 0) measure_rate(deadline);
  return prepare_key_search();
}

bool RtspReceiver::is_key(const AVPacket& packet) {
  if (only_key_pictures_) return true;
  uint8_t* data = nullptr;
  int size = 0;
  av_parser_parse2(parser_.get(), context_.get(), &data, &size, packet.data, packet.size, packet.pts,
                   packet.dts, packet.pos);
  return parser_->key_frame == 1 || (parser_->key_frame == -1 && parser_->pict_type == AV_PICTURE_TYPE_I);
}

Result<bool> RtspReceiver::next(AVPacket& packet) {
  av_packet_unref(&packet);
  if (ready_.empty()) {
    std::optional<RtspPicture> picture = pipeline_->next(moment_in(address_.silence_limit_s), stop_);
    if (picture) add(std::move(*picture));
  }
  if (!ready_.empty()) {
    av_packet_move_ref(&packet, ready_.front().packet.get());
    arrival_ = ready_.front().arrival;
    ready_.pop_front();
    if (is_key(packet)) packet.flags |= AV_PKT_FLAG_KEY;
    ++next_number_;
    return true;
  }
  if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "reading was stopped", address_.shown());
  if (const int code = pipeline_->failure(); code != 0)
    end_problem_ = live_error(address_, code, false).what;
  else if (!pipeline_->ended())
    end_problem_ = silence_text(address_.silence_limit_s);
  return false;
}

}  // namespace

Result<std::unique_ptr<LiveReceiver>> open_rtsp_receiver(const LiveAddress& address, const StopSource& stop) {
  auto receiver = std::make_unique<RtspReceiver>(address, stop);
  VANTAGE_TRY(receiver->open());
  return receiver;
}

}  // namespace vantage
