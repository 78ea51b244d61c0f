// The compressed sound of a stretch of a file, packet by packet, as it lies there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/base/result.h"
#include "core/video/av_handles.h"

namespace vantage {

class SoundPackets {
 public:
  // Times count from the file's first picture. Null where it has no sound. Errors: io, bad_data.
  static Result<std::unique_ptr<SoundPackets>> open(const std::string& file, double from_s, double to_s);

  const AVCodecParameters& parameters() const;
  std::pair<int, int> time_base() const;  // seconds: first / second
  // The next packet that begins in the stretch, its times from the stretch's begin on. False behind the last.
  Result<bool> read(AVPacket& packet);

 private:
  SoundPackets() = default;

  std::string file_;
  av::Owned<AVFormatContext> format_;
  int stream_ = -1;
  int64_t begin_ = 0, end_ = 0;  // of the stretch, by the stream's clock
};

}  // namespace vantage
