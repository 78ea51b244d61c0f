// The videos of a span: its frames through the chain as far as the blur needs it, each camera's pictures
// blurred, drawn on and encoded (span_videos.cpp), on request also all side by side (mosaic.h).
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "core/export/case/detail/case_scene.h"
#include "core/run/analysis.h"

namespace vantage::case_detail {

// Footage that the foreground's models see before a frame that is blurred, to adapt to its light.
inline constexpr double kBlurWarmUp_s = 10;

struct SpanVideosOptions {
  std::vector<size_t> cameras;   // by number in the project; at least one
  std::filesystem::path folder;  // made where it is not there
  bool grid = false;             // also all_cameras.mp4
  bool sound = true;             // copied where the camera has some
  DeviceBackends backends;       // of the analysis
  StopSource stop;
  std::function<void(int64_t done, int64_t total)> progress = {};  // in frames
  // Receives the encoded pictures of the span's middle frame, by `cameras`.
  std::function<Status(const std::vector<Picture>&)> middle = {};
};

struct SpanVideo {
  CaseCamera camera;    // its `video`: the file's name in the folder
  double first_s = -1;  // when its first picture is shown in its own file; -1: not known
};

// Errors: cancelled; of the chain and of writing. Files that fail are removed.
Result<std::vector<SpanVideo>> write_span_videos(const CaseScene& scene, Analysis& analysis,
                                                 const SpanVideosOptions& options);

}  // namespace vantage::case_detail
