// Cameras that stand otherwise later on: one time of a recording in which they all stand as they are
// calibrated, and what their background is learnt from there.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <memory>
#include "core/base/result.h"

#include "core/pipeline/background.h"
#include "core/project/project.h"
#include "core/video/video_source.h"

namespace vantage {

// Frames of the base in which all cameras stand as they are calibrated at its begin.
struct StandingSpan {
  int64_t begin = 0, end = INT64_MAX;  // end excluded
  bool has(int64_t frame) const { return frame >= begin && frame < end; }
};
std::vector<StandingSpan> standing_spans(const Project& project);  // one at least, in order
// The span in which most of these frames lie, the first of several.
StandingSpan span_with_most(const Project& project, int64_t begin, int64_t end);

// The camera's own frames in the span, as far as the project says how they lie in time. `rate_ratio`: its
// frame rate by the base's. The first span begins with the camera, the last never ends.
RecordingSpan frames_in_span(const ProjectCamera& camera, const StandingSpan& span, double rate_ratio);

// What a run learns the camera's background from there: the recording, and the empty-scene clip as the camera
// would have shown it (core/pipeline/reoriented_clip.h); none of a camera that was moved since. `recording`:
// the camera's, where it is open already. Errors: those of opening.
Result<BackgroundFootage> footage_in_span(const ProjectCamera& camera, const StandingSpan& span,
                                          double rate_ratio, const VideoOpenOptions& how,
                                          std::unique_ptr<VideoSource> recording = nullptr);

}  // namespace vantage
