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

// The first `max_seconds` of the video's first sound track at about sample_rate; of a list of files
// (file_list.h) that of each where it shows, silence in gaps. Nothing where there is none, and of an image
// sequence.
Result<std::optional<Sound>> read_sound(const std::string& path, int sample_rate, double max_seconds,
                                        const StopSource& stop);

// The compressed sound of a stretch of a video, packet by packet, as it lies there; of a list of files that
// of each where it shows. A file whose sound is of another kind than the first one's is silent.

class SoundPackets {
 public:
  // Times count from the first picture. Null where there is no sound. Errors: io, bad_data.
  static Result<std::unique_ptr<SoundPackets>> open(const std::string& video, double from_s, double to_s);

  const AVCodecParameters& parameters() const { return *parameters_; }
  std::pair<int, int> time_base() const { return time_base_; }  // seconds: first / second
  // The next packet that begins in the stretch, its times from the stretch's begin on. False behind the last.
  Result<bool> read(AVPacket& packet);

 private:
  // A part of a file, and where it begins in the stretch.
  struct Part {
    std::string file;
    double from_s = 0, to_s = 0, at_s = 0;
  };
  SoundPackets() = default;
  Status open_next();  // part that has sound of the kind; none: format_ is null

  std::vector<Part> parts_;
  size_t next_ = 0;
  av::Owned<AVCodecParameters> parameters_;  // null until the first is open
  std::pair<int, int> time_base_ = {0, 1};
  std::string file_;
  av::Owned<AVFormatContext> format_;
  int stream_ = -1;
  int64_t begin_ = 0, end_ = 0;  // of the part, by the stream's clock
  int64_t at_ = 0;               // where it begins in the stretch, by time_base_
};

}  // namespace vantage
