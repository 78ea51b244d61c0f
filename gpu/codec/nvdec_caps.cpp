#include "gpu/codec/nvdec_caps.h"

#include <dlfcn.h>

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <memory>

#include "gpu/runtime/context.h"

namespace vantage::gpu {
namespace {

// cuvidGetDecoderCaps() and its argument, part of the driver's binary interface since 2016; declared here
// because its header comes with NVIDIA's Video Codec SDK only.
struct CuvidDecodeCaps {
  int codec, chroma_format;
  unsigned bit_depth_minus_8;
  unsigned reserved1[3];
  unsigned char is_supported, decoders;
  unsigned short output_formats;
  unsigned max_width, max_height, max_macroblocks;
  unsigned short min_width, min_height;
  unsigned char has_histogram, counter_bits;
  unsigned short max_histogram_bins;
  unsigned reserved3[10];
};
static_assert(sizeof(CuvidDecodeCaps) == 88);
using GetDecoderCaps = int (*)(CuvidDecodeCaps*);
constexpr int kChroma420 = 1;

struct Codec {
  AVCodecID id;
  int cuvid;
};
constexpr Codec kExactCodecs[] = {{AV_CODEC_ID_H264, 4},
                                  {AV_CODEC_ID_HEVC, 8},
                                  {AV_CODEC_ID_VP8, 9},
                                  {AV_CODEC_ID_VP9, 10},
                                  {AV_CODEC_ID_AV1, 11}};

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};

bool ffmpeg_can_use_device(AVCodecID id) {
  void* state = nullptr;
  while (const AVCodec* codec = av_codec_iterate(&state)) {
    if (codec->id != id || !av_codec_is_decoder(codec)) continue;
    for (int i = 0; const AVCodecHWConfig* config = avcodec_get_hw_config(codec, i); ++i)
      if (config->pix_fmt == AV_PIX_FMT_CUDA &&
          (config->methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0)
        return true;
  }
  return false;
}

}  // namespace

Result<std::vector<DecoderCaps>> query_decoders(Context& context) {
  // The driver's library asks the thread's current CUDA context, which the submission thread has.
  return context.run([]() -> Result<std::vector<DecoderCaps>> {
    std::vector<DecoderCaps> decoders;
    const std::unique_ptr<void, CloseLibrary> library(dlopen("libnvcuvid.so.1", RTLD_NOW | RTLD_LOCAL));
    const auto get =
        library ? reinterpret_cast<GetDecoderCaps>(dlsym(library.get(), "cuvidGetDecoderCaps")) : nullptr;
    if (!get) return decoders;
    for (const Codec& codec : kExactCodecs)
      for (const unsigned bits : {8u, 10u}) {
        CuvidDecodeCaps caps{};
        caps.codec = codec.cuvid;
        caps.chroma_format = kChroma420;
        caps.bit_depth_minus_8 = bits - 8;
        if (get(&caps) != 0 || caps.is_supported == 0 || !ffmpeg_can_use_device(codec.id)) continue;
        decoders.push_back({std::string(avcodec_get_name(codec.id)) + (bits > 8 ? ", 10 bits" : ""),
                            caps.min_width, caps.min_height, static_cast<int>(caps.max_width),
                            static_cast<int>(caps.max_height), caps.max_macroblocks});
      }
    return decoders;
  });
}

}  // namespace vantage::gpu
