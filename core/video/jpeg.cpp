#include "core/video/jpeg.h"

#include <algorithm>

#include "core/video/av_handles.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/frame.h>
#include <libswscale/swscale.h>
}

namespace vantage {
namespace {

const int* coefficients_of(ColorMatrix matrix) {
  if (matrix == ColorMatrix::bt709) return sws_getCoefficients(SWS_CS_ITU709);
  return sws_getCoefficients(matrix == ColorMatrix::bt2020 ? SWS_CS_BT2020 : SWS_CS_ITU601);
}

tl::unexpected<Error> no_memory() {
  return fail(ErrorKind::out_of_memory, "not enough memory for a JPEG file");
}

// The picture at that size, in JPEG's colours.
Result<av::Owned<AVFrame>> jpeg_frame(const Picture& picture, int width_px, int height_px) {
  av::Owned<AVFrame> frame = av::make_frame();
  if (!frame) return no_memory();
  frame->width = width_px, frame->height = height_px, frame->format = AV_PIX_FMT_YUVJ420P;
  frame->color_range = AVCOL_RANGE_JPEG;
  if (av_frame_get_buffer(frame.get(), 0) < 0) return no_memory();
  const bool planar = picture.format().layout == PictureLayout::i420;
  const av::Owned<SwsContext> scaler(
      sws_getContext(picture.width(), picture.height(), planar ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_NV12,
                     width_px, height_px, AV_PIX_FMT_YUVJ420P, SWS_AREA, nullptr, nullptr, nullptr));
  if (!scaler) return no_memory();
  const bool full = picture.format().range == ColorRange::full;
  sws_setColorspaceDetails(scaler.get(), coefficients_of(picture.format().matrix), full ? 1 : 0,
                           sws_getCoefficients(SWS_CS_ITU601), 1, 0, 1 << 16, 1 << 16);
  const uint8_t* planes[4] = {};
  int strides[4] = {};
  for (int i = 0; i < picture.plane_count(); ++i) {
    planes[i] = picture.plane(i).data;
    strides[i] = static_cast<int>(picture.plane(i).stride_bytes);
  }
  sws_scale(scaler.get(), planes, strides, 0, picture.height(), frame->data, frame->linesize);
  return frame;
}

Result<av::Owned<AVCodecContext>> jpeg_encoder(int width_px, int height_px, int quality) {
  const AVCodec* codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG);
  if (!codec) return fail(ErrorKind::unsupported, "this FFmpeg has no encoder for JPEG");
  av::Owned<AVCodecContext> context(avcodec_alloc_context3(codec));
  if (!context) return no_memory();
  context->width = width_px, context->height = height_px;
  context->pix_fmt = AV_PIX_FMT_YUVJ420P;
  context->color_range = AVCOL_RANGE_JPEG;
  context->time_base = {1, 25};
  context->flags |= AV_CODEC_FLAG_QSCALE;
  context->global_quality = quality * FF_QP2LAMBDA;
  context->thread_count = 1;
  if (const int code = avcodec_open2(context.get(), codec, nullptr); code < 0)
    return fail(ErrorKind::unsupported, "JPEG cannot be encoded: " + av::error_text(code));
  return context;
}

}  // namespace

std::pair<int, int> jpeg_size(const Picture& picture, int max_width_px) {
  const int width_px = std::min(picture.width(), max_width_px) & ~1;
  return {width_px,
          static_cast<int>(int64_t{picture.height()} * width_px / std::max(picture.width(), 1)) & ~1};
}

Result<std::string> encode_jpeg(const Picture& picture, int max_width_px, int quality) {
  if (!picture || picture.place() != MemoryPlace{})
    return fail(ErrorKind::unsupported, "there is no picture in host memory to encode");
  av::silence_library_log();
  const auto [width_px, height_px] = jpeg_size(picture, max_width_px);
  if (width_px < 2 || height_px < 2) return fail(ErrorKind::invalid_argument, "the picture is too small");
  VANTAGE_ASSIGN(const av::Owned<AVFrame> frame, jpeg_frame(picture, width_px, height_px));
  VANTAGE_ASSIGN(const av::Owned<AVCodecContext> context, jpeg_encoder(width_px, height_px, quality));
  frame->quality = context->global_quality;
  const av::Owned<AVPacket> packet = av::make_packet();
  if (!packet) return no_memory();
  int code = avcodec_send_frame(context.get(), frame.get());
  if (code >= 0) code = avcodec_receive_packet(context.get(), packet.get());
  if (code < 0) return fail(ErrorKind::io, "JPEG cannot be encoded: " + av::error_text(code));
  return std::string(reinterpret_cast<const char*>(packet->data), static_cast<size_t>(packet->size));
}

}  // namespace vantage
