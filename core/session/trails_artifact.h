// The trails behind the people of a frame that a front end is shown, from what was analysed and from results
// on disk.
#pragma once

#include "core/display/trails.h"

namespace vantage {

inline constexpr std::string_view kTrailsArtifact = "trails";

struct TrailsArtifact final : Artifact {
  std::vector<Trail> trails;
  size_t size_bytes() const override {
    size_t bytes = 0;
    for (const Trail& trail : trails) bytes += trail.floor_m.size() * sizeof(trail.floor_m[0]);
    return bytes;
  }
};

// Empty where there are none.
inline std::vector<Trail> trails_of(const FrameResult& result) {
  const auto* artifact = result.get<TrailsArtifact>(kTrailsArtifact);
  return artifact ? artifact->trails : std::vector<Trail>();
}

}  // namespace vantage
