// A mask carried along by optical flow.
#pragma once

#include "core/image/picture.h"

namespace vantage {

// The mask of the earlier picture as it lies in the later one. `back`: dx, dy pairs, 2 * width elements a
// row, of every pixel of the later picture to its place in the earlier one (core/optical_flow, the later
// picture given first); an unknown vector (beyond 1e9) counts as no motion. A pixel is inside where at least
// half of what lies at its place is, bilinearly; where its place is not in the picture, outside. u8, host
// memory.
Result<Image> carried_mask(const ImageView<const uint8_t>& earlier, const ImageView<const float>& back,
                           BufferPool& pool);

}  // namespace vantage
