// Encodes pictures to a video file (H.264 through FFmpeg), for synthetic footage and tests.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

struct VideoWriterOptions {
  double frame_rate = 25;
  int crf = 20;         // x264 quality, 0 (lossless) to 51
  int gop_frames = 25;  // largest distance between key frames
  int b_frames = 2;
};

class VideoWriter {
 public:
  virtual ~VideoWriter() = default;
  static Result<std::unique_ptr<VideoWriter>> open(const std::filesystem::path& path,
                                                   const PictureFormat& format,
                                                   const VideoWriterOptions& options);
  virtual Status write(const Picture& picture) = 0;  // host memory, the format given at open()
  // Flushes and writes the container's index. Without it the file is removed.
  virtual Status finish() = 0;
};

}  // namespace vantage
