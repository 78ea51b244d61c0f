// Shows an empty-scene clip as its camera would have recorded it after a turn about its own centre, so that a
// clip from before a bump can also be used after it. Missing parts are filled with the nearest visible
// pixels.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/geometry/camera.h"
#include "core/image/picture.h"
#include "core/video/video_source.h"

namespace vantage {

struct ReorientedClip {
  std::unique_ptr<VideoSource> clip;  // its pictures are I420, in host memory
  Image unseen;                       // u8 by 2x2 block: 255 where the clip shows nothing
};

// `clip`: in host memory, with pictures of the cameras' size; the cameras must satisfy only_turned(). Errors:
// out_of_memory.
Result<ReorientedClip> turn_clip(std::unique_ptr<VideoSource> clip, const Camera& from, const Camera& to);

}  // namespace vantage
