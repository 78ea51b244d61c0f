#include "core/video/av_handles.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
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
