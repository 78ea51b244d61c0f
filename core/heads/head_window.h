// The detector's window and its arithmetic, shared by the CPU and the CUDA implementations. Plain data and
// functions: .cu files include this header.
//
// A window is 24 x 24 pixels of one level of the pyramid and holds a head with its shoulders: the head's box,
// 9 x 11 pixels, begins at (7.5, 4).
#pragma once

#include <cstdint>

#include "core/geometry/projection.h"
#include "core/primitives/nms_rule.h"

namespace vantage {

inline constexpr int kHeadWindow = 24;
inline constexpr float kHeadLeft = 7.5f, kHeadTop = 4.0f, kHeadWidth = 9.0f, kHeadHeight = 11.0f;

// Windows are visited in tiles of so many; a level's last tiles reach over its border.
inline constexpr int kHeadTileWidth = 64, kHeadTileHeight = 16;

// Block sizes a model may use: a code compares eight blocks of b x b pixels with the one in their middle.
inline constexpr int kHeadBlocks[] = {1, 2, 4, 6};
inline constexpr int kHeadBlockCount = 4;

namespace heads {

// A window by its level and its position there. In the order of these keys CPU and CUDA list what they find.
VANTAGE_HD uint32_t key_of(int level, int x, int y) {
  return static_cast<uint32_t>(level) << 26 | static_cast<uint32_t>(y) << 13 | static_cast<uint32_t>(x);
}

// The head's box in pixels of the picture; its left edge is that of pixel x.
VANTAGE_HD Detection detection_of(uint32_t key, float scale) {
  const float x = static_cast<float>(key & 0x1fff), y = static_cast<float>((key >> 13) & 0x1fff);
  Detection box;
  box.x = nms::product(scale, nms::sum(x, kHeadLeft));
  box.y = nms::product(scale, nms::sum(y, kHeadTop));
  box.w = nms::product(scale, kHeadWidth);
  box.h = nms::product(scale, kHeadHeight);
  return box;
}

// The evidence of a window for the heads around it.
VANTAGE_HD int32_t excess_of(int32_t score, int32_t accept_from, int window_step) {
  return (score - accept_from + 1) * window_step * window_step;
}
VANTAGE_HD bool windows_overlap(const Detection& a, const Detection& b) {
  const NmsRule rule;  // more than half of the union
  const nms::Corners ca = nms::corners_of(a), cb = nms::corners_of(b);
  return nms::overlaps(rule, ca, nms::area_of(ca, 0), cb, nms::area_of(cb, 0));
}
VANTAGE_HD float final_score(int32_t sum, float score_unit) {
  return nms::product(static_cast<float>(sum), score_unit);
}

// Between the pixels of a picture of `width` x `height`, bilinear, in integers; its border is repeated. A
// pixel is 65536 wide, the middle of the first is 0.
VANTAGE_HD uint8_t pixel_between(const uint8_t* picture, int64_t stride, int width, int height, int32_t sx,
                                 int32_t sy) {
  const int wx = (sx >> 9) & 127, wy = (sy >> 9) & 127;
  int x0 = sx >> 16, y0 = sy >> 16, x1 = x0 + 1, y1 = y0 + 1;
  x0 = x0 < 0 ? 0 : x0 >= width ? width - 1 : x0;
  x1 = x1 < 0 ? 0 : x1 >= width ? width - 1 : x1;
  y0 = y0 < 0 ? 0 : y0 >= height ? height - 1 : y0;
  y1 = y1 < 0 ? 0 : y1 >= height ? height - 1 : y1;
  const uint8_t *above = picture + y0 * stride, *below = picture + y1 * stride;
  const int top = above[x0] * (128 - wx) + above[x1] * wx, bottom = below[x0] * (128 - wx) + below[x1] * wx;
  return static_cast<uint8_t>((top * (128 - wy) + bottom * wy + 8192) >> 14);
}
// One pixel of a level from its octave. `step`: source pixels per pixel of the level, 1 is 65536. The octave
// is `width` x `height`.
VANTAGE_HD uint8_t level_pixel(const uint8_t* octave, int64_t stride, int width, int height, int32_t step,
                               int x, int y) {
  return pixel_between(octave, stride, width, height, x * step + (step >> 1) - 32768,
                       y * step + (step >> 1) - 32768);
}

}  // namespace heads
}  // namespace vantage
