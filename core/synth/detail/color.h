// Colours are linear light, 1 is the sensor's full scale. A frame is encoded with the sRGB curve, in the
// colours that Vantage works in (core/video/working_colors.h).
#pragma once

#include <Eigen/Core>

#include "core/image/picture.h"

namespace vantage::synth {

using Color = Eigen::Array3f;

inline Color lerp(const Color& a, const Color& b, float t) {
  return a + (b - a) * t;
}
inline float smoothstep(float low, float high, float x) {
  const float t = x <= low ? 0.f : x >= high ? 1.f : (x - low) / (high - low);
  return t * t * (3.f - 2.f * t);
}

// Linear light to R'G'B' in [0, 1].
Color gamma_encode(const Color& linear);

struct YCbCr {
  float y, cb, cr;  // in 8-bit units, limited range
};
YCbCr to_ycbcr(const Color& gamma_encoded, ColorMatrix matrix);  // BT.601 or BT.709

uint8_t round_to_byte(float value);

// The format of every picture rendered here.
PictureFormat picture_format(int width_px, int height_px);

}  // namespace vantage::synth
