// Encodes pictures to a video file (H.264 through FFmpeg), with the sound of another file with them if
// wanted: synthetic footage, exported cases, tests.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

// The sound of a stretch of a video, copied packet by packet. Times count from its first picture.
struct CopiedSound {
  std::string file;  // or list of files; empty: no sound
  double from_s = 0, to_s = 0;
};

struct VideoWriterOptions {
  double frame_rate = 25;
  int crf = 20;         // x264 quality, 0 (lossless) to 51
  int gop_frames = 25;  // largest distance between key frames
  int b_frames = 2;
  bool any_encoder = false;  // see stream_encoder.h
  CopiedSound sound = {};
};

class VideoWriter {
 public:
  virtual ~VideoWriter() = default;
  static Result<std::unique_ptr<VideoWriter>> open(const std::filesystem::path& path,
                                                   const PictureFormat& format,
                                                   const VideoWriterOptions& options);
  virtual Status write(const Picture& picture) = 0;  // host memory, the format given at open()
  // Flushes and writes the container's index. An unfinished file is removed.
  virtual Status finish() = 0;
  virtual std::string encoder() const = 0;  // as FFmpeg calls it: "libx264"
  // Outcome for the sound: "aac, copied", "none in the file", "amr_nb, which MP4 does not hold"; empty: none
  // was wanted.
  virtual const std::string& sound() const = 0;
};

}  // namespace vantage
