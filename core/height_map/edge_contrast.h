// Edges of a picture for outline_search.h. Host memory.
#pragma once

#include "core/image/picture.h"

namespace vantage::height_map {

// f32, two a pixel: g / (|g| + 8), g the gradient, in grey levels a pixel, of the picture smoothed by a
// Gaussian of 0.6 pixels; the border's pixels are repeated. A strong edge has length 1, whatever its
// strength.
Result<Image> edge_contrast(const ImageView<const uint8_t>& luma);

}  // namespace vantage::height_map
