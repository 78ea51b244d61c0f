// A plane cut of the confidence volume in a frame's result, where a front end asked the session for one.
#pragma once

#include "core/carving/cut.h"
#include "core/pipeline/frame_result.h"

namespace vantage {

inline constexpr std::string_view kCutArtifact = "cut";

struct CutArtifact final : Artifact {
  VolumeCut cut;  // in host memory
  size_t size_bytes() const override { return cut.confidence.size_bytes() + cut.seeing.size_bytes(); }
};

inline const VolumeCut* cut_of(const FrameResult& result) {
  const auto* artifact = result.get<CutArtifact>(kCutArtifact);
  return artifact ? &artifact->cut : nullptr;
}

}  // namespace vantage
