// Spans of a recording between changes of calibrations, and the footage from which a camera's background is
// learnt in one.
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

// Frames of the base in which all cameras keep their calibrations.
struct StandingSpan {
  int64_t begin = 0, end = INT64_MAX;  // end excluded
  bool has(int64_t frame) const { return frame >= begin && frame < end; }
};
std::vector<StandingSpan> standing_spans(const Project& project);  // at least one, in order
// The span with most of these frames; ties: the first.
StandingSpan span_with_most(const Project& project, int64_t begin, int64_t end);

// The camera's own frames in the span, by the project's offsets. `rate_ratio`: its frame rate divided by the
// base's. The first span begins with the camera, the last never ends.
RecordingSpan frames_in_span(const ProjectCamera& camera, const StandingSpan& span, double rate_ratio);

// The footage from which a run learns the camera's background there: the recording, and the empty-scene clip
// turned to the camera's pose (core/pipeline/reoriented_clip.h), or no clip if the camera was moved since.
// `recording`: the camera's, if it is already open. Errors: those of opening.
Result<BackgroundFootage> footage_in_span(const ProjectCamera& camera, const StandingSpan& span,
                                          double rate_ratio, const VideoOpenOptions& how,
                                          std::unique_ptr<VideoSource> recording = nullptr);

}  // namespace vantage
