// Edges of a picture for outline_search.h. Host memory.
#pragma once

#include "core/image/picture.h"

namespace vantage::height_map {

// f32, two a pixel: g / (m + 8), g the gradient, in grey levels a pixel, of the picture smoothed by a
// Gaussian of 0.6 pixels (the border's pixels are repeated), m the length of the strongest one at most 2
// pixels away in x and y. On the middle of an edge it has a length near 1, whatever the edge's strength, and
// less next to it.
Result<Image> edge_contrast(const ImageView<const uint8_t>& luma);

}  // namespace vantage::height_map
