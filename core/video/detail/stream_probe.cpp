#include "core/video/detail/stream_probe.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
}

#include <cstring>

namespace vantage {
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
