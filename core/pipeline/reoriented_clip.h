// An empty-scene clip as its camera would have shown it after it was turned about its own centre: what was
// recorded before a person knocked against a camera serves behind that, too. Parts that it did not show then
// are missing; each pixel there is that of the nearest part that it did.
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

// `clip` in host memory, of pictures of the cameras' size, which only_turned(). Errors: out_of_memory.
Result<ReorientedClip> turn_clip(std::unique_ptr<VideoSource> clip, const Camera& from, const Camera& to);

}  // namespace vantage
