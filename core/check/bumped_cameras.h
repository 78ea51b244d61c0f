// Finds cameras that were bumped in the middle of a recording and gives each a calibration from there on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/check/camera_view.h"

namespace vantage {

struct WatchedCamera {
  size_t camera = 0;   // in the project
  std::string untold;  // why no jump can be told, where none was found; else empty
  std::vector<SolvedJump> jumps;
  std::vector<int64_t> from_frames;  // the first frame set behind each jump

  // Each jump is a turn alone or has a calibration in the project.
  bool solved() const;
};

// Takes kWatchedViews pictures of each requested camera that has a video; one entry each. `progress` counts
// cameras. Errors: those of reading; cancelled.
Result<std::vector<WatchedCamera>> watch_cameras(
    const Project& project, const std::vector<bool>& asked,
    const std::function<void(int64_t done, int64_t total)>& progress, const StopSource& stop);

// Gives solved() cameras that jumped a calibration from each jump on; others are unchanged. Returns the
// number of changed cameras.
size_t add_bumps(const std::vector<WatchedCamera>& watched, Project* project);

}  // namespace vantage
