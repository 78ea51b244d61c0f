// The colours that Vantage works in: whatever opens a picture delivers it in limited range, and in the matrix
// that its height says,
//
//   up to 576 rows  BT.601        above  BT.709
//
// Reasons: resources/docs/algorithms/working-colors.md. Conversion, in integers of 2^-14, the same on every
// device, with u the share of chroma in the new luma, taken between the four nearest chroma samples (centred
// between their luma samples, as in JPEG; 9, 3, 3 and 1 sixteenths):
//
//   Y'  = (16 (a Y + b) + 9 u + 3 u_beside + 3 u_above + u_across + 2^17) >> 18
//   Cb' = 128 + ((c (Cb - 128) + d (Cr - 128) + 2^13) >> 14),     Cr' likewise,     all clamped to 0..255
//
// The coefficients follow from the luma weights of ITU-R BT.601-7, BT.709-6 and BT.2020-2 (non-constant
// luminance). Primaries and transfer curves are left alone. Up to the line also for .cu files.
#pragma once

#include <cstdint>
#include <string>

#include "core/geometry/projection.h"
#include "core/image/picture.h"

namespace vantage {

inline constexpr int kLargestSdHeight_px = 576;

constexpr ColorMatrix working_matrix(int height_px) {
  return height_px <= kLargestSdHeight_px ? ColorMatrix::bt601 : ColorMatrix::bt709;
}

// The same size and layout in working colours.
constexpr PictureFormat working_format(PictureFormat format) {
  format.range = ColorRange::limited;
  format.matrix = working_matrix(format.height);
  return format;
}

// In 2^-14.
struct ColorArithmetic {
  int32_t luma, luma_offset;  // a, b
  int32_t luma_cb, luma_cr;   // of u; both 0 where the matrix stays
  int32_t cb_cb, cb_cr;       // c, d of Cb'
  int32_t cr_cb, cr_cr;       // c, d of Cr'
};

VANTAGE_HD uint8_t clamped_byte(int32_t value) {
  return static_cast<uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}

VANTAGE_HD int32_t chroma_in_luma(const ColorArithmetic& c, uint8_t cb, uint8_t cr) {
  return c.luma_cb * (cb - 128) + c.luma_cr * (cr - 128);
}

// `shares`: 9 u + 3 u_beside + 3 u_above + u_across.
VANTAGE_HD uint8_t converted_luma(const ColorArithmetic& c, uint8_t luma, int32_t shares) {
  return clamped_byte((16 * (c.luma * luma + c.luma_offset) + shares + (1 << 17)) >> 18);
}

VANTAGE_HD uint8_t converted_chroma(int32_t of_cb, int32_t of_cr, uint8_t cb, uint8_t cr) {
  return clamped_byte(128 + ((of_cb * (cb - 128) + of_cr * (cr - 128) + (1 << 13)) >> 14));
}

// The chroma sample next to the one that luma sample i lies in, on i's side; of `count` chroma samples.
VANTAGE_HD int next_chroma(int i, int count) {
  const int next = i / 2 + (i % 2 == 0 ? -1 : 1);
  return next < 0 ? 0 : next < count ? next : count - 1;
}

// ---- Not for .cu files ----

// Converts pictures of that format to the same in working colours.
ColorArithmetic color_arithmetic(const PictureFormat& from);

// "full to limited range, BT.601 to BT.709"; empty when that format is worked in.
std::string color_conversion(const PictureFormat& from);

// Planes of a picture in host memory, wherever they lie.
struct ChromaPlanes {
  const uint8_t* cb = nullptr;
  const uint8_t* cr = nullptr;
  ptrdiff_t stride_bytes = 0;
  int step = 1;  // from one sample to the next: 1, or 2 where both are interleaved
};

// Fills `to`, of working_format(from), I420. `luma`, `chroma`: a picture of format `from`.
void convert_to_working_colors(const PictureFormat& from, const uint8_t* luma, ptrdiff_t luma_stride_bytes,
                               const ChromaPlanes& chroma, Picture& to);

// The picture itself where it is in working colours, else a converted one, I420. Host memory.
Result<Picture> in_working_colors(const Picture& picture, BufferPool& pool);

}  // namespace vantage
