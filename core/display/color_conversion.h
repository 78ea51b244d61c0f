// Y'CbCr to R'G'B' for drawing, by ITU-R BT.601-7, BT.709-6 and BT.2020-2 (non-constant luminance). Plain
// data and plain functions: .cu files include this header.
//
//   rgb = clamp(matrix * (ycbcr - offset), 0, 1),   all in [0,1] (8-bit values / 255), stored rounded to
//   nearest.
// Chroma is not interpolated: pixel (x, y) takes the sample (x / 2, y / 2).
#pragma once

#include <cstdint>

#include "core/geometry/projection.h"
#include "core/image/picture.h"

namespace vantage {

struct RgbFromYcbcr {
  float matrix[9];  // row-major
  float offset[3];
};

// The shares of red and blue in luma; green has the rest.
struct LumaWeights {
  double red = 0.299, blue = 0.114;
};
constexpr LumaWeights luma_weights(ColorMatrix matrix) {
  if (matrix == ColorMatrix::bt709) return {0.2126, 0.0722};
  if (matrix == ColorMatrix::bt2020) return {0.2627, 0.0593};
  return {};
}

inline RgbFromYcbcr rgb_from_ycbcr(ColorRange range, ColorMatrix matrix) {
  const auto [red, blue] = luma_weights(matrix);
  const double green = 1 - red - blue;
  const bool limited = range == ColorRange::limited;
  const double luma = limited ? 255.0 / 219.0 : 1.0;
  const double chroma = limited ? 255.0 / 224.0 : 1.0;
  const double cb = 2 * (1 - blue) * chroma, cr = 2 * (1 - red) * chroma;
  const double exact[9] = {luma, 0, cr, luma, -cb * blue / green, -cr * red / green, luma, cb, 0};
  RgbFromYcbcr conversion{};
  for (int i = 0; i < 9; ++i) conversion.matrix[i] = static_cast<float>(exact[i]);
  conversion.offset[0] = limited ? 16.0f / 255.0f : 0.0f;
  conversion.offset[1] = conversion.offset[2] = 128.0f / 255.0f;
  return conversion;
}

// Component 0 red, 1 green, 2 blue.
VANTAGE_HD uint8_t rgb_component(const RgbFromYcbcr& conversion, int component, uint8_t y, uint8_t cb,
                                 uint8_t cr) {
  const float* row = conversion.matrix + 3 * component;
  const float value = row[0] * (static_cast<float>(y) / 255.0f - conversion.offset[0]) +
                      row[1] * (static_cast<float>(cb) / 255.0f - conversion.offset[1]) +
                      row[2] * (static_cast<float>(cr) / 255.0f - conversion.offset[2]);
  const float low = value > 0.0f ? value : 0.0f;
  return static_cast<uint8_t>((low < 1.0f ? low : 1.0f) * 255.0f + 0.5f);
}

// The other way, of R'G'B' from 0 to 255.
struct YcbcrSample {
  uint8_t y, cb, cr;
};
inline YcbcrSample ycbcr_of(double r, double g, double b, const PictureFormat& format) {
  const auto [red, blue] = luma_weights(format.matrix);
  const double luma = (red * r + (1 - red - blue) * g + blue * b) / 255;
  const double cb = (b / 255 - luma) / (2 * (1 - blue)), cr = (r / 255 - luma) / (2 * (1 - red));
  const auto byte = [](double value) {
    return static_cast<uint8_t>(value < 0 ? 0 : value < 255 ? value + 0.5 : 255);
  };
  if (format.range == ColorRange::full) return {byte(255 * luma), byte(128 + 255 * cb), byte(128 + 255 * cr)};
  return {byte(16 + 219 * luma), byte(128 + 224 * cb), byte(128 + 224 * cr)};
}

}  // namespace vantage
