// The sound of a video file, for finding out how recordings lie in time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/video/av_handles.h"

namespace vantage {

struct Sound {
  int sample_rate = 0;         // samples/s
  std::vector<float> samples;  // all channels together, -1 to 1; sample 0 belongs to the video's first frame
};

// The first `max_seconds` of the file's first sound track at about sample_rate. Nothing when the file has
// none, is an image sequence or a list of files.
Result<std::optional<Sound>> read_sound(const std::string& path, int sample_rate, double max_seconds,
                                        const StopSource& stop);

// The compressed sound of a stretch of a file, packet by packet, as it lies there.

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
