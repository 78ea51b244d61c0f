// What a check looks at: a few frames of each camera, decoded and segmented.
#pragma once

#include <string>
#include <vector>

#include "core/backend/registry.h"
#include "core/base/stop_token.h"
#include "core/project/project.h"
#include "core/video/video_source.h"

namespace vantage {

struct CameraSample {
  VideoInfo info;
  std::string error;    // not empty: the video, or its empty-scene clip, cannot be used; says why
  int64_t decoded = 0;  // frames asked for that came whole
  int64_t asked = 0;
  std::string problem;  // of a damaged or missing frame
  int64_t problem_frame = -1;
  std::vector<Image> masks;      // by moment; empty: none
  double seconds_per_frame = 0;  // decoding and segmenting
};

// The base camera's frames to look at, spread over the recording.
std::vector<int64_t> sample_moments(int64_t frame_count, int count);

// Reads and segments the camera's frames at those moments of the base. Learns from the empty-scene clip, else
// from the camera's first frames, as a run does. Stops at `deadline_ns` (trace_now_ns()) with what it has.
CameraSample sample_camera(const Project& project, size_t camera, double base_rate,
                           const std::vector<int64_t>& moments, const BackendRegistry& backends,
                           int64_t deadline_ns, const StopSource& stop);

}  // namespace vantage
