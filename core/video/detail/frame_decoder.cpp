#include "core/video/detail/frame_decoder.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
}

#include <cstring>
#include <utility>

namespace vantage {
namespace {

// Surfaces beyond the stream's own references: one that is being copied out, one to decode into meanwhile.
constexpr int kExtraHardwareFrames = 2;
constexpr size_t kMaxKeptFaults = 4096;

bool can_use_device(const AVCodec* codec) {
  for (int i = 0; const AVCodecHWConfig* config = avcodec_get_hw_config(codec, i); ++i)
    if (config->device_type == AV_HWDEVICE_TYPE_CUDA && config->pix_fmt == AV_PIX_FMT_CUDA &&
        (config->methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0)
      return true;
  return false;
}

const AVCodec* find_hardware_decoder(AVCodecID id) {
  void* state = nullptr;
  while (const AVCodec* codec = av_codec_iterate(&state))
    if (codec->id == id && av_codec_is_decoder(codec) && (codec->capabilities & AV_CODEC_CAP_HARDWARE) == 0 &&
        can_use_device(codec))
      return codec;
  return nullptr;
}

// How HardwareDecode::supports() is asked: 10 bits are a codec of their own. Empty: no hardware takes it.
std::string hardware_codec(const AVCodecParameters& parameters) {
  const std::string name = avcodec_get_name(parameters.codec_id);
  switch (parameters.format) {
    case AV_PIX_FMT_YUV420P:
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_NV12:
      return name;
    case AV_PIX_FMT_YUV420P10:
      return name + ", 10 bits";
    default:
      return {};
  }
}

std::string stream_text(const AVCodecParameters& parameters) {
  return std::string(avcodec_get_name(parameters.codec_id)) + " " + std::to_string(parameters.width) + "x" +
         std::to_string(parameters.height);
}

// Marks what is sent to the decoder, for packet_number(). FFmpeg 6 replaced the context's mark by the
// packet's own; there 0 is what a frame without a mark has.
void mark_packet(AVCodecContext& context, AVPacket& packet, int64_t number) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
  packet.opaque = reinterpret_cast<void*>(static_cast<intptr_t>(number + 1));
  static_cast<void>(context);
#else
  context.reordered_opaque = number;
  static_cast<void>(packet);
#endif
}

}  // namespace

FrameDecoder::~FrameDecoder() = default;

Result<std::unique_ptr<FrameDecoder>> FrameDecoder::open(const PacketSource& source,
                                                         const FrameDecoderOptions& options) {
  std::unique_ptr<FrameDecoder> decoder(new FrameDecoder);
  decoder->options_ = options;
  decoder->refusal_ = options.refusal;
  decoder->display_matrix_ = source.display_matrix();
  decoder->matrix_known_ = decoder->display_matrix_.has_value();
  decoder->packet_ = av::make_packet();
  if (!decoder->packet_) return fail(ErrorKind::out_of_memory, "not enough memory to decode");
  if (options.hardware) {
    const Status opened = decoder->open_codec(source, true);
    decoder->on_trial_ = opened.has_value();
    if (opened) return decoder;
    if (opened.error().kind == ErrorKind::device_lost) return fail(opened.error());
    decoder->refusal_ = opened.error().message();
  }
  VANTAGE_TRY(decoder->open_codec(source, false));
  return decoder;
}

Status FrameDecoder::open_codec(const PacketSource& source, bool with_hardware) {
  const AVCodecParameters& parameters = source.parameters();
  const std::string stream = stream_text(parameters);
  if (with_hardware) {
    const std::string wanted = hardware_codec(parameters);
    if (wanted.empty()) return fail(ErrorKind::unsupported, "neither 8 nor 10 bits 4:2:0");
    if (!options_.hardware->supports(wanted, parameters.width, parameters.height))
      return fail(ErrorKind::unsupported, "the hardware does not decode " + stream);
  }
  const AVCodec* codec =
      with_hardware ? find_hardware_decoder(parameters.codec_id) : avcodec_find_decoder(parameters.codec_id);
  if (!codec)
    return fail(ErrorKind::unsupported, "there is no decoder for " + stream, {},
                "Convert the video, for example to H.264");
  context_.reset(avcodec_alloc_context3(codec));
  if (!context_ || avcodec_parameters_to_context(context_.get(), &parameters) < 0)
    return fail(ErrorKind::out_of_memory, "not enough memory to decode " + stream);
  context_->pkt_timebase = source.time_base();
  context_->thread_count = with_hardware ? 1 : options_.threads;
  context_->opaque = this;
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
  context_->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
#endif
  if (with_hardware) {
    VANTAGE_ASSIGN(context_->hw_device_ctx, options_.hardware->device_context());
    context_->extra_hw_frames = kExtraHardwareFrames;
    // Asked at the start, at each new sequence and after each restart.
    context_->get_format = [](AVCodecContext* context, const AVPixelFormat* formats) {
      return static_cast<AVPixelFormat>(choose_format(context, reinterpret_cast<const int*>(formats)));
    };
  }
  av::silence_library_log();
  if (const int code = avcodec_open2(context_.get(), codec, nullptr); code < 0)
    return fail(ErrorKind::bad_data,
                "the decoder for " + stream + " does not start: " + av::error_text(code));
  hardware_active_ = with_hardware;
  return {};
}

int FrameDecoder::choose_format(AVCodecContext* context, const int* formats) {
  static_assert(sizeof(AVPixelFormat) == sizeof(int));
  auto* self = static_cast<FrameDecoder*>(context->opaque);
  int software = AV_PIX_FMT_NONE;
  for (const int* format = formats; *format != AV_PIX_FMT_NONE; ++format) {
    if (*format == AV_PIX_FMT_CUDA) {
      self->hardware_active_ = true;
      return *format;
    }
    const AVPixFmtDescriptor* descriptor = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(*format));
    if (software == AV_PIX_FMT_NONE && descriptor && (descriptor->flags & AV_PIX_FMT_FLAG_HWACCEL) == 0)
      software = *format;
  }
  // FFmpeg asks again without the hardware's format when that one could not be started.
  self->hardware_active_ = false;
  self->refusal_ = "the hardware refused the stream";
  return software;
}

void FrameDecoder::note_fault(int code) {
  if (faults_.size() < kMaxKeptFaults) faults_.push_back({last_packet_, last_pts_, av::error_text(code)});
}

std::vector<FrameDecoder::Fault> FrameDecoder::take_faults() {
  return std::exchange(faults_, {});
}

// Into packet_. False at the end of the stream.
Result<bool> FrameDecoder::next_packet(PacketSource& source) {
  if (!on_trial_ && !unanswered_.empty()) {
    packet_ = std::move(unanswered_.front().packet);
    last_packet_ = unanswered_.front().number;
    unanswered_.pop_front();
    return true;
  }
  VANTAGE_ASSIGN(const bool more, source.next(*packet_));
  if (!more) return false;
  last_packet_ = source.next_number() - 1;
  if (options_.on_packet) options_.on_packet(*packet_, last_packet_);
  if (!on_trial_) return true;
  av::Owned<AVPacket> kept(av_packet_clone(packet_.get()));
  if (!kept) return fail(ErrorKind::out_of_memory, "not enough memory to decode");
  unanswered_.push_back({std::move(kept), last_packet_});
  return true;
}

// Software begins with what the hardware made nothing of, whose faults are the hardware's.
Status FrameDecoder::give_up_hardware(const PacketSource& source) {
  on_trial_ = false;
  draining_ = false;
  faults_.clear();
  if (hardware_active_) refusal_ = "the hardware gave no picture";
  return open_codec(source, false);
}

Result<bool> FrameDecoder::next(PacketSource& source, AVFrame& frame) {
  for (;;) {
    const int received = avcodec_receive_frame(context_.get(), &frame);
    if (received >= 0) {
      if (std::exchange(on_trial_, false)) unanswered_.clear();
      VANTAGE_TRY(state_display_matrix(frame));
      return true;
    }
    if (received == AVERROR(ENOMEM)) return fail(ErrorKind::out_of_memory, "not enough memory to decode");
    if (received != AVERROR(EAGAIN) && received != AVERROR_EOF) {
      note_fault(received);
      continue;
    }
    const bool ended = received == AVERROR_EOF || draining_;
    if (on_trial_ && (ended || unanswered_.size() >= kPacketsOnTrial)) {
      VANTAGE_TRY(give_up_hardware(source));
      continue;
    }
    if (ended) return false;
    VANTAGE_ASSIGN(const bool more, next_packet(source));
    if (!more) {
      draining_ = true;
      avcodec_send_packet(context_.get(), nullptr);
      continue;
    }
    last_pts_ = packet_->pts;
    mark_packet(*context_, *packet_, last_packet_);
    if (packet_->flags & AV_PKT_FLAG_CORRUPT) note_fault(AVERROR_INVALIDDATA);
    const int sent = avcodec_send_packet(context_.get(), packet_.get());
    if (sent == AVERROR(ENOMEM)) return fail(ErrorKind::out_of_memory, "not enough memory to decode");
    if (sent < 0 && sent != AVERROR(EAGAIN) && sent != AVERROR_EOF) note_fault(sent);
  }
}

// Streams repeat theirs with some frames only, and a frame must not depend on where decoding began.
Status FrameDecoder::state_display_matrix(AVFrame& frame) {
  if (!std::exchange(matrix_known_, true)) {
    const AVFrameSideData* own = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
    if (own && own->size >= sizeof(DisplayMatrix))
      std::memcpy(display_matrix_.emplace().data(), own->data, sizeof(DisplayMatrix));
  }
  av_frame_remove_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
  if (!display_matrix_) return {};
  AVFrameSideData* stated =
      av_frame_new_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX, sizeof(DisplayMatrix));
  if (!stated) return fail(ErrorKind::out_of_memory, "not enough memory to decode");
  std::memcpy(stated->data, display_matrix_->data(), sizeof(DisplayMatrix));
  return {};
}

void FrameDecoder::flush() {
  avcodec_flush_buffers(context_.get());
  draining_ = false;
  unanswered_.clear();
  faults_.clear();
}

bool FrameDecoder::is_hardware_frame(const AVFrame& frame) const {
  return frame.format == AV_PIX_FMT_CUDA;
}

std::string FrameDecoder::description() const {
  if (hardware_active_) return "nvdec";
  return refusal_.empty() ? "software" : "software (" + refusal_ + ")";
}

std::string FrameDecoder::codec_name() const {
  return avcodec_get_name(context_->codec_id);
}

int64_t packet_number(const AVFrame& frame) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
  return reinterpret_cast<intptr_t>(frame.opaque) - 1;
#else
  return frame.reordered_opaque >= 0 ? frame.reordered_opaque : -1;
#endif
}

// FFmpeg 6.1 replaced the frame's own field by a flag.
bool is_key_frame(const AVFrame& frame) {
#ifdef AV_FRAME_FLAG_KEY
  return (frame.flags & AV_FRAME_FLAG_KEY) != 0;
#else
  return frame.key_frame != 0;
#endif
}

std::string frame_problem(const AVFrame& frame) {
  if (frame.decode_error_flags != 0) return "decoded with errors; parts are guessed";
  if (frame.flags & AV_FRAME_FLAG_CORRUPT) return "marked as damaged by the decoder";
  return {};
}

}  // namespace vantage
