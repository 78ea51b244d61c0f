// Owners of FFmpeg's objects, and its error texts. Only forward declarations: FFmpeg's headers stay in .cpp
// files.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

struct AVBSFContext;
struct AVBufferRef;
struct AVCodecContext;
struct AVCodecParameters;
struct AVCodecParserContext;
struct AVFormatContext;
struct AVFrame;
struct AVPacket;
struct SwsContext;

namespace vantage::av {

struct Free {
  void operator()(AVBSFContext* p) const;
  void operator()(AVBufferRef* p) const;
  void operator()(AVCodecContext* p) const;
  void operator()(AVCodecParameters* p) const;
  void operator()(AVCodecParserContext* p) const;
  void operator()(AVFormatContext* p) const;  // of a demuxer
  void operator()(AVFrame* p) const;
  void operator()(AVPacket* p) const;
  void operator()(SwsContext* p) const;
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;
// A muxer closes its file too.
struct FreeMuxer {
  void operator()(AVFormatContext* p) const;
};
using OwnedMuxer = std::unique_ptr<AVFormatContext, FreeMuxer>;

Owned<AVPacket> make_packet();
Owned<AVFrame> make_frame();

// FFmpeg's text of an error code.
std::string error_text(int code);

// Problems are reported with their frame by who meets them; FFmpeg's own lines on stderr are switched off.
// Idempotent.
void silence_library_log();

}  // namespace vantage::av

namespace vantage {

// Facts about the FFmpeg libraries found at run time; for `doctor`.

// {"libavcodec", "59.37.100"}, ...
std::vector<std::pair<std::string, std::string>> ffmpeg_versions();

// The codecs, of those that recordings usually come in, with a software decoder here, as FFmpeg names them.
std::vector<std::string> software_decoders();

}  // namespace vantage
