#include "core/video/live/live_receiver.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavcodec/packet.h>
#include <libavformat/avformat.h>
#include <libavutil/hwcontext.h>
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/base/trace.h"
#include "core/video/detail/demuxer.h"
#include "core/video/detail/frame_decoder.h"
#include "core/video/detail/packet_inspector.h"
#include "core/video/detail/sources.h"
#include "core/video/live/rtp_times.h"
#include "core/video/picture_copy.h"

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

// Live streams as VideoSources: what comes over the network, and a file that is played at its own pace.

namespace {

tl::unexpected<Error> cannot(const char* what) {
  return fail(ErrorKind::unsupported, std::string("a live stream cannot ") + what);
}

// Puts the container's display matrix on the packet: a recording has another container (segment_index.h).
void attach_display_matrix(const DisplayMatrix& matrix, AVPacket& packet) {
  uint8_t* data = av_packet_new_side_data(&packet, AV_PKT_DATA_DISPLAYMATRIX, sizeof matrix);
  if (data) std::memcpy(data, matrix.data(), sizeof matrix);
}

class NetworkSource final : public VideoSource {
 public:
  NetworkSource(LiveAddress address, VideoOpenOptions options)
      : address_(std::move(address)), options_(std::move(options)), frame_(av::make_frame()) {}

  Status open() {
    if (!frame_) return fail(ErrorKind::out_of_memory, "not enough memory to open the stream");
    VANTAGE_ASSIGN(receiver_, LiveReceiver::open(address_, options_.stop));
    VANTAGE_TRY(prepare_tap());
    FrameDecoderOptions decoder;
    decoder.hardware = options_.hardware;
    decoder.on_packet = [this](const AVPacket& packet, int64_t number) { note_packet(packet, number); };
    VANTAGE_ASSIGN(decoder_, FrameDecoder::open(*receiver_, decoder));
    VANTAGE_TRY(decode_next());
    has_first_ = true;
    describe();
    return {};
  }

  VideoInfo info() const override {
    const std::lock_guard lock(mutex_);
    return info_;
  }

  Result<DecodedFrame> read() override {
    if (!std::exchange(has_first_, false)) VANTAGE_TRY(decode_next());
    DecodedFrame out;
    out.index = next_++;
    const PacketArrival& arrival =
        arrivals_[static_cast<size_t>(std::max<int64_t>(packet_number(*frame_), 0)) % arrivals_.size()];
    out.packet = packet_number(*frame_);
    out.arrival_ns = arrival.arrival_ns;
    if (arrival.sender_utc_ns > 0) out.sender_utc_ns = arrival.sender_utc_ns;
    if (first_pts_ == kNoTime) first_pts_ = frame_->pts;  // the very first picture may have no time
    if (frame_->pts != kNoTime) out.time_ns = receiver_->time_ns(frame_->pts - first_pts_);
    out.problem = frame_problem(*frame_);
    if (out.problem.empty() && arrival.after_loss) out.problem = "data was lost in transit";
    const bool unfounded = missing_.look(out.time_ns, is_key_frame(*frame_));
    if (unfounded) {
      out.problem = "pictures are missing; waiting for the next complete one";
      ++left_out_;  // damaged or not: it is what the missing ones make of it
    } else if (!out.problem.empty()) {
      ++faults_;
    }
    if (!has_size(info_.width_px, info_.height_px)) describe();
    if (unfounded) return out;
    VANTAGE_ASSIGN(out.picture, take_picture(out.index));
    return out;
  }

  Status seek(int64_t) override { return cannot("go back"); }
  Result<int64_t> wait_for_frame_count(const StopSource&) override { return cannot("be counted"); }
  std::vector<std::pair<int64_t, std::string>> problems() const override { return {}; }
  uint64_t content_hash() const override { return Hasher().add(address_.shown()).value(); }
  StreamCounters counters() const override { return {packets_, bytes_, faults_, left_out_}; }

 private:
  void note_packet(const AVPacket& packet, int64_t number) {
    ++packets_;
    bytes_ += packet.size;
    const PacketArrival& arrival = receiver_->arrival();
    arrivals_[static_cast<size_t>(number) % arrivals_.size()] = arrival;
    if (options_.on_packet) tap(packet, number, arrival.arrival_ns);
  }

  Status decode_next() {
    const SpanGuard span(options_.trace, "receive", "receive cam" + std::to_string(options_.camera + 1),
                         next_, options_.camera, SpanKind::wait);
    VANTAGE_ASSIGN(const bool more, decoder_->next(*receiver_, *frame_));
    faults_ += static_cast<int64_t>(decoder_->take_faults().size());
    if (more) return {};
    const std::string why = receiver_->end_problem();
    return fail(ErrorKind::io, why.empty() ? "the camera ended the stream" : why, address_.shown(),
                "Check the camera and its network.");
  }

  void describe() {
    const std::lock_guard lock(mutex_);
    info_.codec = decoder_->codec_name();
    info_.decoder = decoder_->description();
    const int format = decoder_->is_hardware_frame(*frame_) ? receiver_->parameters().format : frame_->format;
    const PictureFormat upright = upright_format_of(*frame_, format);
    info_.width_px = upright.width;
    info_.height_px = upright.height;
    const char* name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(format));
    info_.pixel_format = name ? name : "unknown";
    info_.conversion = PictureCopier::conversion(*frame_, format);
    info_.frame_rate = receiver_->frame_rate();
    info_.content_hash = content_hash();
  }

  bool has_size(int width_px, int height_px) const {
    const PictureFormat upright = upright_format_of(*frame_, frame_->format);
    return upright.width == width_px && upright.height == height_px;
  }

  // A hardware frame of another size than the wanted one.
  Result<Picture> scaled_on_host(BufferPool& pool) {
    const av::Owned<AVFrame> host = av::make_frame();
    if (!host) return fail(ErrorKind::out_of_memory, "not enough memory for a picture");
    int code = av_hwframe_transfer_data(host.get(), frame_.get(), 0);
    if (code >= 0) code = av_frame_copy_props(host.get(), frame_.get());
    av_frame_unref(frame_.get());
    if (code < 0)
      return fail(ErrorKind::io, "a picture cannot be taken from the device: " + av::error_text(code));
    return copier_.copy_at(*host, options_.width_px, options_.height_px, pool);
  }

  // A changed size in mid-stream: pictures of the same shape are brought to the wanted size.
  Result<Picture> take_picture(int64_t index) {
    BufferPool& pool = options_.pool ? *options_.pool : HostPool::shared();
    Result<Picture> picture;
    if (!decoder_->is_hardware_frame(*frame_)) {
      picture = copier_.copy_at(*frame_, options_.width_px, options_.height_px, pool);
    } else if (options_.width_px > 0 && !has_size(options_.width_px, options_.height_px)) {
      picture = scaled_on_host(pool);
    } else {
      picture = options_.hardware->copy_out(*frame_, options_.camera, index);
      av_frame_unref(frame_.get());  // the decoder's surfaces are few
    }
    if (!picture && picture.error().where.empty()) picture.error().where = address_.shown();
    return picture;
  }

  // Hands the packet on as it came.
  void tap(const AVPacket& packet, int64_t number, int64_t arrival_ns) {
    std::shared_ptr<AVPacket> copy(av_packet_clone(&packet), av::Free());
    if (!copy) return;
    if (const auto matrix = receiver_->display_matrix()) attach_display_matrix(*matrix, *copy);
    StreamPacket out;
    out.format = format_;
    out.number = number;
    out.has_time = packet.pts != kNoTime;
    if (out.has_time) out.time_ns = receiver_->time_ns(packet.pts);
    out.arrival_ns = arrival_ns;
    out.size_bytes = packet.size;
    out.start = inspector_->inspect(packet).start_point;
    out.key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
    out.packet = std::move(copy);
    options_.on_packet(out);
  }

  Status prepare_tap() {
    if (!options_.on_packet) return {};
    auto format = std::make_shared<StreamFormat>();
    format->parameters.reset(avcodec_parameters_alloc());
    if (!format->parameters ||
        avcodec_parameters_copy(format->parameters.get(), &receiver_->parameters()) < 0)
      return fail(ErrorKind::out_of_memory, "not enough memory to open the stream");
    format->codec = avcodec_get_name(receiver_->parameters().codec_id);
    format->width_px = receiver_->parameters().width, format->height_px = receiver_->parameters().height;
    format_ = std::move(format);
    inspector_ = std::make_unique<PacketInspector>(receiver_->parameters());
    return {};
  }

  const LiveAddress address_;
  const VideoOpenOptions options_;
  std::unique_ptr<LiveReceiver> receiver_;
  std::unique_ptr<FrameDecoder> decoder_;
  std::shared_ptr<const StreamFormat> format_;  // of the packets that are handed on
  std::unique_ptr<PacketInspector> inspector_;  // likewise
  PictureCopier copier_;
  av::Owned<AVFrame> frame_;
  bool has_first_ = false;  // frame_ is the first one, not given out yet
  int64_t first_pts_ = kNoTime, next_ = 0;
  MissingPictures missing_;
  std::array<PacketArrival, 64> arrivals_;  // by packet number; more than any decoder holds back
  std::atomic<int64_t> packets_{0}, bytes_{0}, faults_{0}, left_out_{0};
  mutable std::mutex mutex_;
  VideoInfo info_;
};

class PacedFile final : public VideoSource {
 public:
  PacedFile(std::unique_ptr<VideoSource> file, StopSource stop)
      : file_(std::move(file)), stop_(std::move(stop)), info_(file_->info()) {
    if (info_.frame_rate <= 0) info_.frame_rate = kUnknownFrameRate;
    info_.frame_count = -1;
    info_.frame_count_exact = false;
  }

  VideoInfo info() const override { return info_; }
  Result<DecodedFrame> read() override {
    Result<DecodedFrame> frame = file_->read();
    if (!frame && frame.error().kind == ErrorKind::end_of_stream && next_ > 0) {
      VANTAGE_TRY(file_->seek(0));
      frame = file_->read();
    }
    if (!frame) return frame;
    if (start_ns_ < 0) start_ns_ = trace_now_ns();
    frame->time_ns = static_cast<int64_t>(static_cast<double>(next_) / info_.frame_rate * 1e9);
    frame->index = next_++;
    frame->arrival_ns = start_ns_ + frame->time_ns;
    VANTAGE_TRY(wait_until(frame->arrival_ns));
    return frame;
  }
  Status seek(int64_t) override { return cannot("go back"); }
  Result<int64_t> wait_for_frame_count(const StopSource&) override { return cannot("be counted"); }
  std::vector<std::pair<int64_t, std::string>> problems() const override { return file_->problems(); }
  uint64_t content_hash() const override { return info_.content_hash; }

 private:
  Status wait_until(int64_t time_ns) const {
    constexpr int64_t kStep_ns = 50'000'000;  // a stop is heard in between
    for (int64_t left = time_ns - trace_now_ns(); left > 0; left = time_ns - trace_now_ns()) {
      if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "reading was stopped");
      std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(left, kStep_ns)));
    }
    return {};
  }

  const std::unique_ptr<VideoSource> file_;
  const StopSource stop_;
  VideoInfo info_;
  int64_t next_ = 0, start_ns_ = -1;
};

DeviceOpener& device_opener() {
  static DeviceOpener opener;
  return opener;
}

}  // namespace

void set_device_opener(DeviceOpener opener) {
  device_opener() = std::move(opener);
}

Result<std::unique_ptr<VideoSource>> open_live_source(LiveAddress address, const VideoOpenOptions& options) {
  if (address.protocol == LiveProtocol::paced_file) {
    if (is_live_address(address.url))
      return fail(ErrorKind::invalid_argument, "only a file can be played at its own pace", address.shown());
    VANTAGE_ASSIGN(auto file, open_video(address.url, options));
    return std::make_unique<PacedFile>(std::move(file), options.stop);
  }
  if (address.protocol == LiveProtocol::by_program) {
    if (!device_opener())
      return fail(ErrorKind::unsupported, "this program opens no cameras of this machine", address.shown(),
                  "Open the project in the window.");
    return device_opener()(address.url, options);
  }
  auto source = std::make_unique<NetworkSource>(std::move(address), options);
  VANTAGE_TRY(source->open());
  return source;
}

}  // namespace vantage
