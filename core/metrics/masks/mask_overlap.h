// How well a mask fits one that was drawn by hand.
#pragma once

#include <cstdint>

#include "core/image/image_view.h"

namespace vantage {

struct MaskOverlap {
  int64_t both = 0, either = 0;  // pixels
  // Intersection over union; 1 where no one is in either.
  double iou() const { return either == 0 ? 1 : static_cast<double>(both) / static_cast<double>(either); }
  bool operator==(const MaskOverlap&) const = default;
};

// `found` is inside where it is not 0, `drawn` above kMaskThreshold (mask_painting.h). Both of one size.
MaskOverlap overlap_of(const ImageView<const uint8_t>& found, const ImageView<const uint8_t>& drawn);

}  // namespace vantage
