#include "gpu/codec/hardware_decode_cuda.h"

#include <cuda.h>
#include <dlfcn.h>

extern "C" {
#include <libavutil/frame.h>
#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_cuda.h>
}

#include <algorithm>

#include "core/video/picture_copy.h"
#include "core/video/working_colors.h"
#include "gpu/codec/nvdec_caps.h"
#include "gpu/codec/picture_kernels.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

struct Unref {
  void operator()(AVBufferRef* reference) const { av_buffer_unref(&reference); }
};

// The runtime's primary context, as the driver's interface and FFmpeg want it. On the submission thread.
Result<CUcontext> current_context() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);  // the runtime holds it open as well
  using GetCurrent = CUresult (*)(CUcontext*);
  const auto get = library ? reinterpret_cast<GetCurrent>(dlsym(library, "cuCtxGetCurrent")) : nullptr;
  CUcontext current = nullptr;
  const bool found = get && get(&current) == CUDA_SUCCESS && current;
  if (library) dlclose(library);
  if (found) return current;
  return fail(ErrorKind::unsupported, "the CUDA driver gives no context to decode in", "NVDEC");
}

class HardwareDecodeCuda final : public HardwareDecode {
 public:
  HardwareDecodeCuda(std::shared_ptr<Context> context, CUcontext cuda_context,
                     std::vector<DecoderCaps> decoders, TraceRecorder* trace)
      : context_(std::move(context)),
        cuda_context_(cuda_context),
        decoders_(std::move(decoders)),
        trace_(trace) {}

  Result<AVBufferRef*> device_context() override {
    VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context_, "decode", trace_));
    std::unique_ptr<AVBufferRef, Unref> reference(av_hwdevice_ctx_alloc(AV_HWDEVICE_TYPE_CUDA));
    if (!reference) return fail(ErrorKind::unsupported, "this FFmpeg was built without CUDA", "NVDEC");
    auto* device = reinterpret_cast<AVHWDeviceContext*>(reference->data);
    auto* cuda = static_cast<AVCUDADeviceContext*>(device->hwctx);
    cuda->cuda_ctx = cuda_context_;
    cuda->stream = stream->handle();
    // The stream goes with FFmpeg's last reference to the device context.
    device->user_opaque = stream.release();
    device->free = [](AVHWDeviceContext* freed) { delete static_cast<Stream*>(freed->user_opaque); };
    if (av_hwdevice_ctx_init(reference.get()) < 0)
      return fail(ErrorKind::unsupported, "FFmpeg cannot use the CUDA driver", "NVDEC");
    return reference.release();
  }

  Result<Picture> copy_out(const AVFrame& frame, int camera, int64_t index) override {
    VANTAGE_TRY(check(frame));
    const auto* frames = reinterpret_cast<const AVHWFramesContext*>(frame.hw_frames_ctx->data);
    auto* stream = static_cast<Stream*>(frames->device_ctx->user_opaque);
    // FFmpeg takes the right and lower crop off a hardware frame's size, but leaves the left and upper to us.
    const size_t left = frame.crop_left, top = frame.crop_top;
    PictureFormat format = picture_format_of(frame, frames->sw_format);
    format.layout = PictureLayout::nv12;
    format.width -= static_cast<int>(left);
    format.height -= static_cast<int>(top);
    VANTAGE_ASSIGN(Picture picture, Picture::make(format, context_->device_pool()));
    const PictureTurn turn = turn_of(frame);
    const PictureFormat upright = turned_format(format, turn);
    const PictureFormat working = working_format(upright);
    Picture turned, converted;
    if (turn) {
      VANTAGE_ASSIGN(turned, Picture::make(upright, context_->device_pool()));
    }
    if (working != upright) {
      VANTAGE_ASSIGN(converted, Picture::make(working, context_->device_pool()));
    }
    const bool ten_bit = frames->sw_format == AV_PIX_FMT_P010;
    const size_t left_bytes = left * (ten_bit ? 2 : 1);
    const size_t offsets[2] = {top * static_cast<size_t>(frame.linesize[0]) + left_bytes,
                               top / 2 * static_cast<size_t>(frame.linesize[1]) + left_bytes};
    VANTAGE_TRY(context_->run([&]() -> Status {
      Work work(*stream, {.name = {}, .frame = index, .camera = camera});
      VANTAGE_TRY(work.writes(picture.buffer()));
      if (turned) VANTAGE_TRY(work.writes(turned.buffer()));
      if (converted) VANTAGE_TRY(work.writes(converted.buffer()));
      for (int p = 0; p < 2; ++p) {
        const ImageView<uint8_t> plane = picture.writable_plane(p);
        const uint8_t* from = frame.data[p] + offsets[p];
        const auto stride = static_cast<size_t>(frame.linesize[p]);
        if (ten_bit) {
          VANTAGE_TRY(enqueue_narrow(work, from, stride, plane));
          continue;
        }
        VANTAGE_TRY(work.copy_2d("copy decoder to picture", plane.data, plane.stride_bytes, from, stride,
                                 static_cast<size_t>(plane.width), plane.height));
      }
      if (turned) VANTAGE_TRY(enqueue_turn(work, turn, picture, turned));
      if (converted) VANTAGE_TRY(enqueue_convert_colors(work, turned ? turned : picture, converted));
      return work.finish();
    }));
    return converted ? converted : turned ? turned : picture;
  }

  bool supports(const std::string& codec, int width_px, int height_px) const override {
    return std::any_of(decoders_.begin(), decoders_.end(), [&](const DecoderCaps& caps) {
      const int64_t macroblocks = (int64_t{width_px} + 15) / 16 * ((int64_t{height_px} + 15) / 16);
      return caps.codec == codec && width_px >= caps.min_width_px && height_px >= caps.min_height_px &&
             width_px <= caps.max_width_px && height_px <= caps.max_height_px &&
             (caps.max_macroblocks == 0 || macroblocks <= caps.max_macroblocks);
    });
  }

 private:
  Status check(const AVFrame& frame) const {
    if (frame.format != AV_PIX_FMT_CUDA || !frame.hw_frames_ctx)
      return fail(ErrorKind::invalid_argument, "the frame is not in device memory", "NVDEC");
    const auto* frames = reinterpret_cast<const AVHWFramesContext*>(frame.hw_frames_ctx->data);
    const auto* cuda = static_cast<const AVCUDADeviceContext*>(frames->device_ctx->hwctx);
    if (cuda->cuda_ctx != cuda_context_ || !frames->device_ctx->user_opaque)
      return fail(ErrorKind::invalid_argument, "the frame was decoded with another device context", "NVDEC");
    const bool known = frames->sw_format == AV_PIX_FMT_NV12 || frames->sw_format == AV_PIX_FMT_P010;
    if (!known || frame.crop_left % 2 != 0 || frame.crop_top % 2 != 0)
      return fail(ErrorKind::unsupported, "the decoder's surface has neither 8 nor 10 bits 4:2:0", "NVDEC",
                  "Decode this video in software.");
    return {};
  }

  std::shared_ptr<Context> context_;
  CUcontext cuda_context_;
  std::vector<DecoderCaps> decoders_;
  TraceRecorder* trace_;
};

}  // namespace

Result<std::shared_ptr<HardwareDecode>> make_hardware_decode(std::shared_ptr<Context> context,
                                                             TraceRecorder* trace) {
  VANTAGE_ASSIGN(std::vector<DecoderCaps> decoders, query_decoders(*context));
  VANTAGE_ASSIGN(const CUcontext cuda_context, context->run([] { return current_context(); }));
  return std::make_shared<HardwareDecodeCuda>(std::move(context), cuda_context, std::move(decoders), trace);
}

}  // namespace vantage::gpu
