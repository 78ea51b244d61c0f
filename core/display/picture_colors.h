// Camera pictures from red, green and blue.
#pragma once

#include <algorithm>

#include "core/display/color_conversion.h"

namespace vantage {

// Fills an I420 picture in host memory from rows of red, green and blue; chroma is the mean of its four
// pixels, the border's repeated.
inline void set_colors(const ImageView<const uint8_t>& rgb, Picture* picture) {
  const ImageView<uint8_t> luma = picture->writable_plane(0), cb = picture->writable_plane(1),
                           cr = picture->writable_plane(2);
  for (int y = 0; y < luma.height; ++y)
    for (int x = 0; x < luma.width; ++x) {
      const uint8_t* const p = rgb.row(y) + 3 * x;
      luma.at(x, y) = ycbcr_of(p[0], p[1], p[2], picture->format()).y;
    }
  for (int y = 0; y < cb.height; ++y)
    for (int x = 0; x < cb.width; ++x) {
      double mean[3] = {0, 0, 0};
      for (const int row : {2 * y, std::min(2 * y + 1, luma.height - 1)})
        for (const int column : {2 * x, std::min(2 * x + 1, luma.width - 1)})
          for (int c = 0; c < 3; ++c) mean[c] += rgb.at(3 * column + c, row) / 4.0;
      const YcbcrSample color = ycbcr_of(mean[0], mean[1], mean[2], picture->format());
      cb.at(x, y) = color.cb, cr.at(x, y) = color.cr;
    }
}

}  // namespace vantage
