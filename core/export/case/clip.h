// A clip: one camera's pictures of a span as an MP4 file, made as the videos of a case are (case_export.h),
// without what a case has in addition to them. For those who look at something now; what is handed over is a
// case.
#pragma once

#include <filesystem>

#include "core/export/case/case_export.h"

namespace vantage {

inline constexpr double kMaxClip_s = 120;

struct ClipOptions {
  Project project;
  FrameRange span;    // frames of the base camera, at most kMaxClip_s; cut to the recording
  size_t camera = 0;  // by number in the project
  CaseOverlays overlays;
  CaseBlur blur;
  std::filesystem::path folder;  // made where it is not there; the file has the camera's name
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware;
  StopSource stop;
};

// Without sound. Returns what was made; its `video` is the file's name. Errors: those of export_case(); a
// file of what fails is not there.
Result<CaseCamera> export_clip(const ClipOptions& options);

}  // namespace vantage
