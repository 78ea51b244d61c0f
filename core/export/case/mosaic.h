// Parts of a picture made unrecognisable: squares of one colour each, the mean of the square, in coarse
// steps. What was averaged cannot be found again, as long as a square is about as large as a head: a mosaic
// that moves over a person for many pictures tells what lies between its squares' centres and no more.
#pragma once

#include "core/image/picture.h"

namespace vantage {

// Pixel quads (2x2 pixels) along a side of a picture, rounded up.
inline int quads(int pixels) {
  return (pixels + 1) / 2;
}
// Squares of 8 to 256 pixels: 2^3 to 2^8.
inline constexpr int kMinMosaicLevel = 3, kMaxMosaicLevel = 8;
// The smallest squares that hide a person so tall: a head is about as large as one.
int mosaic_level(double height_px);

// `levels`: u8, a quad of the picture a pixel, 0: stays. The picture: I420, host memory; a new one is
// returned.
Result<Picture> pixelated(const Picture& picture, const Image& levels, BufferPool& pool);

}  // namespace vantage
