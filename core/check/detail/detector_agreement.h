// Whether the cameras' detectors agree about people, by the rule of a run (core/fusion/detector_watch.h):
// from the files of boxes that a project names, and from what its model has found before.
#pragma once

#include <vector>

#include "core/base/stop_token.h"
#include "core/check/check.h"
#include "core/check/detail/sample.h"
#include "core/fusion/fusion.h"
#include "core/geometry/camera.h"
#include "core/project/project.h"
#include "core/project/span_footage.h"
#include "core/video/video_source.h"

namespace vantage {

struct DetectorCheck {
  const Project& project;
  const std::vector<Camera>& cameras;  // as they stand, one for each of the project's
  FloorRectangle floor;
  const std::vector<VideoInfo>& videos;  // one for each camera
  int64_t frame_count = 0;               // of the base camera
  double base_rate = 0;                  // frames/s
  int spans = 0;                         // of the recording that are examined, some looks each
  StopSource stop;
  StandingSpan span = {};  // in which the cameras stand so
};

// An item for each camera that has boxes; none where fewer than three cameras have some: of two it is not
// known which one is right.
std::vector<CheckItem> examine_detectors(const DetectorCheck& check);

}  // namespace vantage
