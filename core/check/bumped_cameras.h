// Cameras that were bumped in the middle of a recording: found, and given a calibration from there on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/check/camera_view.h"

namespace vantage {

struct WatchedCamera {
  size_t camera = 0;   // in the project
  std::string untold;  // why it cannot be told, where nothing was found; else empty
  std::vector<SolvedJump> jumps;
  std::vector<int64_t> from_frames;  // the first frame set behind each jump

  // The project can have a calibration from each jump on: each is a turn alone, or has one.
  bool solved() const;
};

// The cameras that are asked for (one entry each) and have a video, kWatchedViews pictures of each.
// `progress` counts cameras. Errors: those of reading; cancelled.
Result<std::vector<WatchedCamera>> watch_cameras(
    const Project& project, const std::vector<bool>& asked,
    const std::function<void(int64_t done, int64_t total)>& progress, const StopSource& stop);

// Gives solved() cameras that jumped a calibration from each jump on. Others stay as they are. How many
// cameras have changed.
size_t add_bumps(const std::vector<WatchedCamera>& watched, Project* project);

}  // namespace vantage
