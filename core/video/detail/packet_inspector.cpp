#include "core/video/detail/packet_inspector.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
}

#include <cstring>
#include <functional>
#include <span>

namespace vantage {
namespace {

using Bytes = std::span<const uint8_t>;

// Calls `visit` with each NAL unit until it returns false. False when the packet is malformed.
bool for_each_nal(Bytes packet, int length_bytes, const std::function<bool(Bytes)>& visit) {
  if (length_bytes > 0) {
    while (!packet.empty()) {
      const auto prefix = static_cast<size_t>(length_bytes);
      if (packet.size() < prefix) return false;
      size_t size = 0;
      for (const uint8_t byte : packet.first(prefix)) size = size << 8 | byte;
      packet = packet.subspan(prefix);
      if (size > packet.size()) return false;
      if (size > 0 && !visit(packet.first(size))) return true;
      packet = packet.subspan(size);
    }
    return true;
  }
  const auto next_start_code = [&](size_t from) {
    for (size_t i = from; i + 3 <= packet.size(); ++i)
      if (packet[i] == 0 && packet[i + 1] == 0 && packet[i + 2] == 1) return i;
    return packet.size();
  };
  size_t begin = next_start_code(0);
  while (begin + 3 < packet.size()) {
    const size_t end = next_start_code(begin + 3);
    if (end > begin + 3 && !visit(packet.subspan(begin + 3, end - begin - 3))) return true;
    begin = end;
  }
  return true;
}

// Bits of a NAL unit's payload, emulation prevention bytes removed. Reads zeros beyond the end.
class BitReader {
 public:
  explicit BitReader(Bytes payload) {
    int zeros = 0;
    for (const uint8_t byte : payload) {
      if (zeros >= 2 && byte == 3) {
        zeros = 0;
        continue;
      }
      zeros = byte == 0 ? zeros + 1 : 0;
      bytes_[size_++] = byte;
      if (size_ == sizeof bytes_) break;
    }
  }
  unsigned bit() {
    const unsigned value = position_ / 8 < size_ ? bytes_[position_ / 8] >> (7 - position_ % 8) & 1 : 0;
    ++position_;
    return value;
  }
  unsigned exp_golomb() {
    int zeros = 0;
    while (zeros < 32 && position_ / 8 < size_ && bit() == 0) ++zeros;
    uint64_t value = 1;
    for (int i = 0; i < zeros; ++i) value = value << 1 | bit();
    return static_cast<unsigned>(value - 1);
  }

 private:
  uint8_t bytes_[64] = {};  // what is read lies in the first bytes
  size_t size_ = 0;
  size_t position_ = 0;
};

// An SEI unit with a recovery point whose pictures are exact from this picture on (H.264 D.2.8).
bool has_exact_recovery_point(Bytes nal) {
  size_t i = 1;
  while (i + 2 <= nal.size() && nal[i] != 0x80) {
    size_t type = 0, size = 0;
    while (i < nal.size() && nal[i] == 0xff) type += nal[i++];
    if (i < nal.size()) type += nal[i++];
    while (i < nal.size() && nal[i] == 0xff) size += nal[i++];
    if (i < nal.size()) size += nal[i++];
    if (i + size > nal.size()) return false;
    if (type == 6) {
      BitReader bits(nal.subspan(i, size));
      const unsigned recovery_frames = bits.exp_golomb();
      const bool exact_match = bits.bit() != 0;
      const bool broken_link = bits.bit() != 0;
      return recovery_frames == 0 && exact_match && !broken_link;
    }
    i += size;
  }
  return false;
}

// VP9 bitstream, uncompressed header: frame_marker(2), profile(2, 3 for profile 3), show_existing_frame,
// frame_type, show_frame. A superframe (marker in its last byte) ends in a shown frame.
bool vp9_shown(Bytes packet) {
  if (packet.empty()) return false;
  if ((packet.back() & 0xe0) == 0xc0) return true;
  BitReader bits(packet.first(1));
  bits.bit();
  bits.bit();
  const bool low = bits.bit() != 0, high = bits.bit() != 0;
  if (low && high) bits.bit();
  if (bits.bit() != 0) return true;  // show_existing_frame
  bits.bit();
  return bits.bit() != 0;
}

int nal_length_bytes(const AVCodecParameters& parameters) {
  const uint8_t* extra = parameters.extradata;
  if (parameters.codec_id == AV_CODEC_ID_H264 && extra && parameters.extradata_size >= 7 && extra[0] == 1)
    return (extra[4] & 3) + 1;
  if (parameters.codec_id == AV_CODEC_ID_HEVC && extra && parameters.extradata_size >= 23 && extra[0] == 1)
    return (extra[21] & 3) + 1;
  return 0;
}

// An MPEG-4 packet that small only keeps a place or holds a frame that was not coded: no frame comes out for
// it.
constexpr int kSmallestMpeg4Frame = 32;

bool always_intra(AVCodecID codec) {
  const AVCodecDescriptor* descriptor = avcodec_descriptor_get(codec);
  return descriptor && (descriptor->props & AV_CODEC_PROP_INTRA_ONLY) != 0;
}

}  // namespace

PacketInspector::PacketInspector(const AVCodecParameters& parameters)
    : context_(avcodec_alloc_context3(nullptr)), nal_length_bytes_(nal_length_bytes(parameters)) {
  if (context_) avcodec_parameters_to_context(context_.get(), &parameters);
  if (parameters.codec_id == AV_CODEC_ID_H264) {
    parser_.reset(av_parser_init(parameters.codec_id));
    if (parser_) parser_->flags |= PARSER_FLAG_COMPLETE_FRAMES;
  }
}

PacketInspector::~PacketInspector() = default;

bool PacketInspector::field_coded(const AVPacket& packet) {
  if (!parser_ || !context_) return true;
  uint8_t* data = nullptr;
  int size = 0;
  av_parser_parse2(parser_.get(), context_.get(), &data, &size, packet.data, packet.size, packet.pts,
                   packet.dts, packet.pos);
  return parser_->picture_structure == AV_PICTURE_STRUCTURE_TOP_FIELD ||
         parser_->picture_structure == AV_PICTURE_STRUCTURE_BOTTOM_FIELD;
}

PacketTraits PacketInspector::inspect_h264(const AVPacket& packet) {
  bool start = false;
  if (packet.flags & AV_PKT_FLAG_KEY)
    for_each_nal({packet.data, static_cast<size_t>(packet.size)}, nal_length_bytes_, [&](Bytes nal) {
      const int type = nal[0] & 31;
      start = type == 5 || (type == 6 && has_exact_recovery_point(nal));
      return !start && (type < 1 || type > 5);
    });
  return {field_coded(packet) ? PacketContent::irregular : PacketContent::frame, start};
}

PacketTraits PacketInspector::inspect_hevc(const AVPacket& packet) const {
  bool start = false;
  if (packet.flags & AV_PKT_FLAG_KEY)
    for_each_nal({packet.data, static_cast<size_t>(packet.size)}, nal_length_bytes_, [&](Bytes nal) {
      const int type = nal[0] >> 1 & 63;
      start = type >= 16 && type <= 21;  // IRAP
      return type > 31;                  // up to the first slice
    });
  return {PacketContent::frame, start};
}

PacketTraits PacketInspector::inspect(const AVPacket& packet) {
  const bool key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
  const AVCodecID codec = context_ ? context_->codec_id : AV_CODEC_ID_NONE;
  switch (codec) {
    case AV_CODEC_ID_H264:
      return inspect_h264(packet);
    case AV_CODEC_ID_HEVC:
      return inspect_hevc(packet);
    case AV_CODEC_ID_VP9:
      if (!vp9_shown({packet.data, static_cast<size_t>(packet.size)})) return {PacketContent::hidden, key};
      return {PacketContent::frame, key};
    case AV_CODEC_ID_AV1:
      return {PacketContent::frame, key};
    case AV_CODEC_ID_MPEG4:
      if (packet.size < kSmallestMpeg4Frame) return {PacketContent::irregular, false};
      return {PacketContent::frame, key};
    default:
      return always_intra(codec) ? PacketTraits{PacketContent::frame, true}
                                 : PacketTraits{PacketContent::irregular, key};
  }
}

namespace {

bool keep_extradata(const uint8_t* bytes, size_t size, AVCodecParameters* parameters) {
  auto* copy = static_cast<uint8_t*>(av_mallocz(size + AV_INPUT_BUFFER_PADDING_SIZE));
  if (!copy) return false;
  std::memcpy(copy, bytes, size);
  av_freep(&parameters->extradata);
  parameters->extradata = copy;
  parameters->extradata_size = static_cast<int>(size);
  return true;
}

}  // namespace

Result<StreamProbe> StreamProbe::make(int codec, const std::vector<uint8_t>& configuration) {
  StreamProbe probe;
  probe.parameters_.reset(avcodec_parameters_alloc());
  if (!probe.parameters_) return fail(ErrorKind::out_of_memory, "not enough memory to open the stream");
  probe.parameters_->codec_type = AVMEDIA_TYPE_VIDEO;
  probe.parameters_->codec_id = static_cast<AVCodecID>(codec);
  if (!configuration.empty() &&
      !keep_extradata(configuration.data(), configuration.size(), probe.parameters_.get()))
    return fail(ErrorKind::out_of_memory, "not enough memory to open the stream");
  return probe;
}

// Keeps the parameter sets of the picture, where there are some. False when there are none there and none
// came before.
bool StreamProbe::has_parameter_sets(const AVPacket& picture) {
  if (parameters_->codec_id != AV_CODEC_ID_H264 && parameters_->codec_id != AV_CODEC_ID_HEVC) return true;
  AVBSFContext* context = nullptr;
  const AVBitStreamFilter* kind = av_bsf_get_by_name("extract_extradata");
  if (!kind || av_bsf_alloc(kind, &context) < 0) return false;
  const av::Owned<AVBSFContext> filter(context);
  const av::Owned<AVPacket> packet(av_packet_clone(&picture));
  if (!packet || avcodec_parameters_copy(filter->par_in, parameters_.get()) < 0 ||
      av_bsf_init(filter.get()) < 0 || av_bsf_send_packet(filter.get(), packet.get()) < 0 ||
      av_bsf_receive_packet(filter.get(), packet.get()) < 0)
    return false;
  size_t size = 0;
  const uint8_t* sets = av_packet_get_side_data(packet.get(), AV_PKT_DATA_NEW_EXTRADATA, &size);
  return sets ? keep_extradata(sets, size, parameters_.get()) : parameters_->extradata_size > 0;
}

bool StreamProbe::decode(const AVPacket& picture) {
  const AVCodec* codec = avcodec_find_decoder(parameters_->codec_id);
  const av::Owned<AVCodecContext> context(avcodec_alloc_context3(codec));
  const av::Owned<AVFrame> frame = av::make_frame();
  if (!codec || !context || !frame || avcodec_parameters_to_context(context.get(), parameters_.get()) < 0)
    return false;
  context->thread_count = 1;
  if (avcodec_open2(context.get(), codec, nullptr) < 0) return false;
  // The picture itself may build on others that are not here; its headers tell what is asked.
  avcodec_send_packet(context.get(), &picture);
  avcodec_receive_frame(context.get(), frame.get());
  if (context->width <= 0 || context->pix_fmt == AV_PIX_FMT_NONE) return false;
  if (context->framerate.num > 0 && context->framerate.den > 0) frame_rate_ = av_q2d(context->framerate);
  return avcodec_parameters_from_context(parameters_.get(), context.get()) >= 0;
}

bool StreamProbe::look(const AVPacket& picture) {
  return has_parameter_sets(picture) && decode(picture);
}

}  // namespace vantage
