// Pictures made smaller by whole factors: pixel (x, y) stands for the factor x factor pixels from
// (factor x, factor y) on; at the right and lower border for those that exist. Host memory.
#pragma once

#include "core/image/picture.h"

namespace vantage {

// Their mean, rounded.
Result<Image> reduced_mean(const ImageView<const uint8_t>& from, int factor, BufferPool& pool);
// 255 where any of them is not 0.
Result<Image> reduced_any(const ImageView<const uint8_t>& from, int factor, BufferPool& pool);

}  // namespace vantage
