// Whether a frame holds its pictures and masks, or only what is kept of it on disk (Delivered::figures_only).
#pragma once

#include <algorithm>

#include "core/pipeline/frame_result.h"

namespace vantage {

inline bool is_whole(const FrameResult& result) {
  const FrameSet* frames = result.frames();
  const ForegroundArtifact* foreground = result.foreground();
  const auto lacks_picture = [](const CameraFrame& camera) {
    return camera.camera_frame >= 0 && !camera.picture && camera.problem.empty();
  };
  const auto was_kept = [](const ForegroundImages& images) { return images.mask && !images.indicator; };
  return frames && std::none_of(frames->cameras.begin(), frames->cameras.end(), lacks_picture) &&
         !(foreground && std::any_of(foreground->cameras.begin(), foreground->cameras.end(), was_kept));
}

}  // namespace vantage
