#include "core/video/ffmpeg_facts.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libswscale/swscale.h>
}

namespace vantage {
namespace {

std::string version_text(unsigned version) {
  return std::to_string(AV_VERSION_MAJOR(version)) + "." + std::to_string(AV_VERSION_MINOR(version)) + "." +
         std::to_string(AV_VERSION_MICRO(version));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ffmpeg_versions() {
  return {{"libavformat", version_text(avformat_version())},
          {"libavcodec", version_text(avcodec_version())},
          {"libavutil", version_text(avutil_version())},
          {"libswscale", version_text(swscale_version())}};
}

std::vector<std::string> software_decoders() {
  std::vector<std::string> found;
  for (const AVCodecID id :
       {AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1,
        AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_MJPEG, AV_CODEC_ID_PRORES, AV_CODEC_ID_PNG})
    if (avcodec_find_decoder(id)) found.emplace_back(avcodec_get_name(id));
  return found;
}

}  // namespace vantage
