#include "core/project/span_footage.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/geometry/camera.h"
#include "core/pipeline/reoriented_clip.h"
#include "core/project/project.h"

namespace vantage {
namespace {

int64_t own_frame(const ProjectCamera& camera, int64_t frame, double rate_ratio) {
  return static_cast<int64_t>(std::llround(camera_frame_at(camera, static_cast<double>(frame), rate_ratio)));
}

Status add_clip(const ProjectCamera& camera, const StandingSpan& span, const VideoOpenOptions& how,
                BackgroundFootage* footage) {
  const Camera *first = camera.calibration_at(0), *now = camera.calibration_at(span.begin);
  if (camera.background.empty() || (first != now && !only_turned(*first, *now))) return {};
  VANTAGE_ASSIGN(footage->clip, open_video(camera.background, how));
  if (first == now) return {};
  VANTAGE_ASSIGN(ReorientedClip turned, turn_clip(std::move(footage->clip), *first, *now));
  footage->clip = std::move(turned.clip), footage->unseen = std::move(turned.unseen);
  return {};
}

}  // namespace

std::vector<StandingSpan> standing_spans(const Project& project) {
  std::vector<StandingSpan> spans(1);
  for (const int64_t frame : project.calibration_changes()) {
    spans.back().end = frame;
    spans.push_back({.begin = frame});
  }
  return spans;
}

StandingSpan span_with_most(const Project& project, int64_t begin, int64_t end) {
  const auto inside = [&](const StandingSpan& span) {
    return std::max<int64_t>(0, std::min(end, span.end) - std::max(begin, span.begin));
  };
  const std::vector<StandingSpan> spans = standing_spans(project);
  return *std::ranges::max_element(spans, {}, inside);
}

RecordingSpan frames_in_span(const ProjectCamera& camera, const StandingSpan& span, double rate_ratio) {
  RecordingSpan frames;
  if (span.begin > 0) frames.begin = own_frame(camera, span.begin, rate_ratio);
  if (span.end < INT64_MAX) frames.end = own_frame(camera, span.end, rate_ratio);
  return frames;
}

Result<BackgroundFootage> footage_in_span(const ProjectCamera& camera, const StandingSpan& span,
                                          double rate_ratio, const VideoOpenOptions& how,
                                          std::unique_ptr<VideoSource> recording) {
  BackgroundFootage footage;
  footage.recording = std::move(recording);
  if (!footage.recording) {
    VANTAGE_ASSIGN(footage.recording, open_video(camera.video, how));
  }
  for (const LaterCalibration& later : camera.later_calibrations) {
    const int64_t own = own_frame(camera, later.from_frame, rate_ratio);
    if (later.from_frame <= span.begin) footage.span.begin = own;
    if (later.from_frame >= span.end) footage.span.end = std::min(footage.span.end, own);
  }
  VANTAGE_TRY(add_clip(camera, span, how, &footage));
  return footage;
}

}  // namespace vantage
