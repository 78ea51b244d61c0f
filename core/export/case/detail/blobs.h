// The connected parts of a mask.
#pragma once

#include <cstdint>
#include <vector>

#include "core/image/image_view.h"

namespace vantage::case_detail {

struct Blobs {
  // Part of each pixel, row by row, from 1; 0: not foreground. Corners connect.
  std::vector<int32_t> label;
  int32_t count = 0;
};
Blobs find_blobs(const ImageView<const uint8_t>& mask);

}  // namespace vantage::case_detail
