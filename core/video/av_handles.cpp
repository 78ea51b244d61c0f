#include "core/video/av_handles.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/log.h>
#include <libswscale/swscale.h>
}

#include <mutex>

namespace vantage::av {

void Free::operator()(AVBSFContext* p) const {
  av_bsf_free(&p);
}
void Free::operator()(AVBufferRef* p) const {
  av_buffer_unref(&p);
}
void Free::operator()(AVCodecContext* p) const {
  avcodec_free_context(&p);
}
void Free::operator()(AVCodecParameters* p) const {
  avcodec_parameters_free(&p);
}
void Free::operator()(AVCodecParserContext* p) const {
  av_parser_close(p);
}
void Free::operator()(AVFormatContext* p) const {
  avformat_close_input(&p);
}
void Free::operator()(AVFrame* p) const {
  av_frame_free(&p);
}
void Free::operator()(AVPacket* p) const {
  av_packet_free(&p);
}
void Free::operator()(SwsContext* p) const {
  sws_freeContext(p);
}

void FreeMuxer::operator()(AVFormatContext* p) const {
  avio_closep(&p->pb);
  avformat_free_context(p);
}

Owned<AVPacket> make_packet() {
  return Owned<AVPacket>(av_packet_alloc());
}
Owned<AVFrame> make_frame() {
  return Owned<AVFrame>(av_frame_alloc());
}

std::string error_text(int code) {
  char text[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(code, text, sizeof text);
  return text;
}

void silence_library_log() {
  static std::once_flag once;
  std::call_once(once, [] { av_log_set_level(AV_LOG_QUIET); });
}

}  // namespace vantage::av

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
