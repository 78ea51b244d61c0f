// How far the colours of one surface may lie apart in pictures of one light.
#pragma once

namespace vantage {

constexpr float kLumaTolerance = 12, kChromaTolerance = 7;  // 8-bit steps

// Takes differences in 8-bit steps.
inline bool same_surface(float y, float cb, float cr) {
  const float dy = y / kLumaTolerance, db = cb / kChromaTolerance, dr = cr / kChromaTolerance;
  return dy * dy + db * db + dr * dr <= 1;
}

}  // namespace vantage
