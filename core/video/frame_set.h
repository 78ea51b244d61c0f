// The pictures of all cameras at one instant: frame N of the base camera and, per camera, the picture nearest
// to it in time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/image/picture.h"

namespace vantage {

struct CameraFrame {
  Picture picture;            // empty: this camera has no frame here
  int64_t camera_frame = -1;  // the camera's own frame number, display order from 0
  int64_t time_ns = -1;       // the container's presentation time, from the stream's start; -1: none
  double offset_remainder_frames =
      0;                // wanted time minus delivered time, in this camera's frames, within +-0.5
  int64_t packet = -1;  // of live cameras: the number of the packet it came from (StreamPacket)
  std::string problem;  // why the picture is missing or damaged; empty when it is fine
};

struct FrameSet {
  int64_t frame = -1;  // of the base camera, from 0
  int64_t time_ns = -1;
  std::vector<CameraFrame> cameras;  // in the project's order
};

}  // namespace vantage
