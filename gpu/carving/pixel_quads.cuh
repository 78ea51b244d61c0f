// The 2x2 pixels from every pixel on in one word: top left in the lowest byte, top right, bottom left, bottom
// right. A sample then is one read instead of four, and reads are what carving has most of.
//
// A plane of quads lives as long as the carver. Of a mask most is as even as it was in the frame before:
// strips of pixels that are one grey level, the pixels next to and below them included, and were that before
// keep their quads. The others are written again.
#pragma once

#include <cstdint>

#include "core/image/image_view.h"

namespace vantage::gpu {

// A thread's pixels of a picture.
constexpr int kStripWords = 4, kStripWidth = 4 * kStripWords, kStripHeight = 4;

// The pixel quads of one camera.
struct QuadPlane {
  uint32_t* data = nullptr;
  uint32_t stride = 0;         // words from one row to the next: whole strips
  uint16_t* strips = nullptr;  // [y * strips_wide() + x]: the strip's only level, or kVariedStrip
  __host__ __device__ uint32_t strips_wide() const { return stride / kStripWidth; }
};
constexpr uint16_t kVariedStrip = 0xffff;

// A strip with the pixels next to and below it; beyond the picture its last row and column repeat.
struct PixelStrip {
  uint32_t words[kStripHeight + 1][kStripWords + 1];  // the last of a row: the pixel next to it
};

// Loads from (x, y), a position in the picture. Rows begin at multiples of 16 bytes; what lies behind a row
// must not even be read.
__device__ inline PixelStrip load_strip(const ImageView<const uint8_t>& image, int x, int y) {
  PixelStrip strip;
  const bool whole = x + kStripWidth <= image.width;
#pragma unroll
  for (int r = 0; r <= kStripHeight; ++r) {
    const uint8_t* row = image.row(min(y + r, image.height - 1));
    strip.words[r][kStripWords] = __ldg(row + min(x + kStripWidth, image.width - 1));
    if (whole) {
      const uint4 four = __ldg(reinterpret_cast<const uint4*>(row + x));
      strip.words[r][0] = four.x, strip.words[r][1] = four.y;
      strip.words[r][2] = four.z, strip.words[r][3] = four.w;
      continue;
    }
#pragma unroll
    for (int word = 0; word < kStripWords; ++word) {
      uint32_t pixels = 0;
      for (int i = 0; i < 4; ++i)
        pixels |= static_cast<uint32_t>(__ldg(row + min(x + 4 * word + i, image.width - 1))) << (8 * i);
      strip.words[r][word] = pixels;
    }
  }
  return strip;
}

// The only level of all its pixels, or kVariedStrip.
__device__ inline uint16_t level_of(const PixelStrip& strip) {
  const uint32_t level = strip.words[0][0] & 255u, everywhere = level * 0x01010101u;
  uint32_t different = 0;
#pragma unroll
  for (const auto& row : strip.words) {
#pragma unroll
    for (int word = 0; word < kStripWords; ++word) different |= row[word] ^ everywhere;
    different |= row[kStripWords] ^ level;
  }
  return different == 0 ? static_cast<uint16_t>(level) : kVariedStrip;
}

// The quads of four pixels: of words of two rows and the words next to them.
__device__ inline uint4 quads_of(uint32_t top, uint32_t top_next, uint32_t bottom, uint32_t bottom_next) {
  return make_uint4(
      __byte_perm(top, bottom, 0x5410), __byte_perm(top, bottom, 0x6521), __byte_perm(top, bottom, 0x7632),
      __byte_perm(__funnelshift_r(top, top_next, 24), __funnelshift_r(bottom, bottom_next, 24), 0x5410));
}

// (x, y): the strip's first pixel.
__device__ inline void write_quads(const QuadPlane& plane, const PixelStrip& strip, int x, int y,
                                   int height) {
#pragma unroll
  for (int r = 0; r < kStripHeight; ++r) {
    if (y + r >= height) break;
    auto* to = reinterpret_cast<uint4*>(plane.data + static_cast<uint32_t>(y + r) * plane.stride + x);
#pragma unroll
    for (int word = 0; word < kStripWords; ++word)
      to[word] = quads_of(strip.words[r][word], strip.words[r][word + 1], strip.words[r + 1][word],
                          strip.words[r + 1][word + 1]);
  }
}

}  // namespace vantage::gpu
