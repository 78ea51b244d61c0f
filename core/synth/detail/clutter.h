// Pictures of nothing in particular, with the statistics of edges that natural pictures have: shapes of all
// sizes, one over the other, their number falling with the cube of their size ("dead leaves": A. Lee,
// D. Mumford, J. Huang, "Occlusion models for natural images", 2001).
#pragma once

#include <cstdint>

#include "core/image/image_view.h"

namespace vantage::synth {

// Fills the picture; the same seed gives the same picture.
void paint_clutter(uint64_t seed, ImageView<uint8_t> picture);

}  // namespace vantage::synth
