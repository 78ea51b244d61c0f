// A camera that stands otherwise from some instant of a recording on, as after a person knocked against it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/geometry/camera.h"

namespace vantage {

struct LaterCalibration {
  int64_t from_frame = 0;  // the first frame set (the base camera's frame) for which it holds; above 0
  Camera camera;
};

// The calibration at a frame set, of a camera with a first one and later ones in the order of time. Null: it
// is not calibrated.
inline const Camera* calibration_at(const std::optional<Camera>& first,
                                    const std::vector<LaterCalibration>& later, int64_t frame) {
  const Camera* at = first ? &*first : nullptr;
  for (const LaterCalibration& one : later)
    if (one.from_frame <= frame) at = &one.camera;
  return at;
}

}  // namespace vantage
