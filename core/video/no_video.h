// A camera without a video: a project may know a camera by its calibration and what a detector said of its
// pictures alone. In place of a file stands "none://WIDTHxHEIGHT?rate=FRAMES_PER_S&frames=COUNT"; it opens as
// a video whose frames have no picture, and no problem either.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/video/video_source.h"

namespace vantage {

struct NoVideo {
  int width_px = 0, height_px = 0;
  double frame_rate = 0;  // frames/s
  int64_t frames = 0;
};

bool names_no_video(const std::string& video);
std::string no_video_address(const NoVideo& video);
// invalid_argument where it is none, or a number is missing or makes no sense.
Result<NoVideo> parse_no_video(const std::string& address);
Result<std::unique_ptr<VideoSource>> open_no_video(const std::string& address);

}  // namespace vantage
