// The light of one picture of a scene compared with that of another, on the host: for what is learnt as the
// scene.
#pragma once

#include <algorithm>

#include "core/foreground/gaussian_pixel.h"
#include "core/image/picture.h"

namespace vantage {

// A block's mean luma; blocks at an odd border repeat their last samples. `x`, `y` in 2x2 blocks.
inline float block_luma(const ImageView<const uint8_t>& luma, int x, int y) {
  const int right = std::min(2 * x + 1, luma.width - 1), below = std::min(2 * y + 1, luma.height - 1);
  const uint8_t *upper = luma.row(2 * y), *lower = luma.row(below);
  return 0.25f * static_cast<float>(upper[2 * x] + upper[right] + lower[2 * x] + lower[right]);
}

// The gains of a picture's light over the reference's (light_change.h). Both I420, in host memory, of one
// format.
LightGains light_between(const Picture& picture, const Picture& reference);

}  // namespace vantage
