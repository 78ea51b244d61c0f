#include "core/metrics/masks/mask_overlap.h"

#include "core/metrics/masks/mask_painting.h"

namespace vantage {

MaskOverlap overlap_of(const ImageView<const uint8_t>& found, const ImageView<const uint8_t>& drawn) {
  MaskOverlap overlap;
  for (int y = 0; y < drawn.height; ++y)
    for (int x = 0; x < drawn.width; ++x) {
      const bool in_found = found.row(y)[x] != 0, in_drawn = drawn.row(y)[x] > kMaskThreshold;
      overlap.both += in_found && in_drawn;
      overlap.either += in_found || in_drawn;
    }
  return overlap;
}

}  // namespace vantage
