// When a project's cameras took their frames.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/project/project.h"

namespace vantage {

// The camera's own frame, with its fraction, of the base's frame. `rate_ratio`: the camera's frames for each
// of the base's.
inline double camera_frame_at(const ProjectCamera& camera, double base_frame, double rate_ratio) {
  return camera.offset_frames + base_frame * rate_ratio + total_change(camera.offset_changes, base_frame);
}

// The first frame set in which the camera shows its own frame `own` or a later one; 0 at least.
inline int64_t frame_set_of(const ProjectCamera& camera, int64_t own, double rate_ratio) {
  const auto shown = [&](int64_t frame) {
    return std::llround(camera_frame_at(camera, static_cast<double>(frame), rate_ratio));
  };
  auto frame = static_cast<int64_t>((static_cast<double>(own) - camera.offset_frames) / rate_ratio);
  frame = std::max<int64_t>(frame, 0);
  while (frame > 0 && shown(frame - 1) >= own) --frame;
  while (shown(frame) < own) ++frame;
  return frame;
}

}  // namespace vantage
