// The properties of a live stream without a container that a decoder and a recording need, from its first
// pictures: parameter sets, size, pixel format, stated frame rate.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/video/av_handles.h"

namespace vantage {

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
