// A mask made larger. Host memory.
#pragma once

#include "core/image/picture.h"

namespace vantage {

// 255 where a pixel that is not 0 lies within the margin along both axes, otherwise 0.
Result<Image> grown(const ImageView<const uint8_t>& mask, int margin_px, BufferPool& pool);

}  // namespace vantage
