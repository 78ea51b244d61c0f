// The recording of a span, opened: what cases and clips begin with.
#pragma once

#include <memory>

#include "core/export/case/detail/case_scene.h"
#include "core/run/analysis.h"

namespace vantage::case_detail {

struct SpanRequest {
  FrameRange span;          // of the base camera; cut to the recording
  bool with_people = true;  // who is where is read, where there are results; the blur always needs them
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware;
  StopSource stop;
};

// Fills the scene's people, trails, span and frame rate; its project, overlays and blur are given. Errors:
// invalid_argument (the span holds no frame; a person to keep who is not there; a blur without a calibration
// or by results that do not belong to the recording as it is), not_found (a blur without results), those of
// Analysis::open().
Result<std::unique_ptr<Analysis>> open_span(CaseScene* scene, const SpanRequest& request);

}  // namespace vantage::case_detail
