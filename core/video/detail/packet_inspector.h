// Reads from a compressed packet, without decoding it, what the seek index must know: does it hold exactly
// one shown frame, and can decoding start there?
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/video/av_handles.h"

struct AVCodecParameters;

namespace vantage {

enum class PacketContent {
  frame,      // one frame that will be shown
  hidden,     // decoded, never shown
  irregular,  // packets and frames do not correspond one to one here (fields, placeholders, unknown codec)
};

struct PacketTraits {
  PacketContent content = PacketContent::irregular;
  // Decoding from here gives every frame from this one on, in display order, as decoding from the file's
  // start does: H.264 IDR or exact recovery point (H.264 7.3.2.3, D.2.8), HEVC IRAP, key frames elsewhere.
  // Frames displayed before it but stored behind it (open GOPs) are not covered.
  bool start_point = false;
};

class PacketInspector {
 public:
  explicit PacketInspector(const AVCodecParameters& parameters);
  ~PacketInspector();
  PacketTraits inspect(const AVPacket& packet);

 private:
  PacketTraits inspect_h264(const AVPacket& packet);
  PacketTraits inspect_hevc(const AVPacket& packet) const;
  bool field_coded(const AVPacket& packet);

  av::Owned<AVCodecContext> context_;  // never opened: holds the extradata for the parser
  av::Owned<AVCodecParserContext> parser_;
  int nal_length_bytes_ = 0;  // 0: start codes
};

// The properties of a live stream without a container that a decoder and a recording need, from its first
// pictures: parameter sets, size, pixel format, stated frame rate.

class StreamProbe {
 public:
  // `codec`: FFmpeg's AVCodecID. `configuration`: what the camera has told beforehand; may be empty.
  static Result<StreamProbe> make(int codec, const std::vector<uint8_t>& configuration);

  // Looks at the next picture. True once everything is known; what lies before cannot be decoded.
  bool look(const AVPacket& picture);
  // Parameters of what look() found; given away.
  av::Owned<AVCodecParameters> take_parameters() { return std::move(parameters_); }
  double frame_rate() const { return frame_rate_; }  // 0: not stated

 private:
  bool has_parameter_sets(const AVPacket& picture);
  bool decode(const AVPacket& picture);

  av::Owned<AVCodecParameters> parameters_;
  double frame_rate_ = 0;
};

}  // namespace vantage
