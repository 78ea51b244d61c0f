// A camera's picture turned about its middle, so that people stand upright in it. Plain data and functions,
// in integers, shared by the CPU and the CUDA implementations: .cu files include this header.
#pragma once

#include <cstdint>

#include "core/heads/head_window.h"

namespace vantage {

struct HeadTurn {
  int picture_width = 0, picture_height = 0;  // the camera's
  int width = 0, height = 0;                  // turned; holds the whole picture
  int32_t cosine = 65536, sine = 0;           // how far the camera's people lean to the right, 1 is 65536
  bool turned() const { return sine != 0; }
};

namespace heads {

// A pixel of the turned picture, bilinear; beyond the camera's picture its border is repeated.
VANTAGE_HD uint8_t turned_pixel(const HeadTurn& turn, const uint8_t* picture, int64_t stride, int x, int y) {
  const int64_t dx = int64_t{2} * x - (turn.width - 1), dy = int64_t{2} * y - (turn.height - 1);
  const int64_t sx = (int64_t{turn.picture_width - 1} * 65536 + turn.cosine * dx - turn.sine * dy) >> 1;
  const int64_t sy = (int64_t{turn.picture_height - 1} * 65536 + turn.sine * dx + turn.cosine * dy) >> 1;
  return pixel_between(picture, stride, turn.picture_width, turn.picture_height, static_cast<int32_t>(sx),
                       static_cast<int32_t>(sy));
}

}  // namespace heads
}  // namespace vantage
