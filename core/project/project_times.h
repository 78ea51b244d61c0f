// When a project's cameras took their frames.
#pragma once

#include "core/project/project.h"

namespace vantage {

// The camera's own frame, with its fraction, of the base's frame. `rate_ratio`: the camera's frames for each
// of the base's.
inline double camera_frame_at(const ProjectCamera& camera, double base_frame, double rate_ratio) {
  return camera.offset_frames + base_frame * rate_ratio + total_change(camera.offset_changes, base_frame);
}

}  // namespace vantage
