// Reads from a compressed packet, without decoding it, what the seek index must know: does it hold exactly
// one shown frame, and can decoding start there?
#pragma once

#include <cstdint>

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

}  // namespace vantage
