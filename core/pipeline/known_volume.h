// The volume of a frame where it is known: without a mask of any camera it is not 0 litres but unknown.
#pragma once

#include <algorithm>

#include "core/pipeline/frame_result.h"

namespace vantage {

// Null where too few cameras have a picture, or the chain makes no volume.
inline const CarvedVolume* known_volume(const FrameResult& result) {
  const PeopleArtifact* people = result.people();
  if (people && people->looked && !people->count_known()) return nullptr;
  const ForegroundArtifact* foreground = result.foreground();
  const auto has_mask = [](const ForegroundImages& camera) { return static_cast<bool>(camera.mask); };
  if (foreground && std::none_of(foreground->cameras.begin(), foreground->cameras.end(), has_mask))
    return nullptr;
  return result.volume();
}

}  // namespace vantage
