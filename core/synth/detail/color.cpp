#include "core/synth/detail/color.h"

#include <array>
#include <cmath>

#include "core/video/working_colors.h"

namespace vantage::synth {
namespace {

constexpr int curve_steps = 8192;

const std::array<float, curve_steps + 1>& srgb_curve() {
  static const auto curve = [] {
    std::array<float, curve_steps + 1> values{};
    for (int i = 0; i <= curve_steps; ++i) {
      const double linear = static_cast<double>(i) / curve_steps;
      values[i] = static_cast<float>(linear <= 0.0031308 ? 12.92 * linear
                                                         : 1.055 * std::pow(linear, 1 / 2.4) - 0.055);
    }
    return values;
  }();
  return curve;
}

}  // namespace

Color gamma_encode(const Color& linear) {
  const auto& curve = srgb_curve();
  const Color index = linear.max(0.f).min(1.f) * static_cast<float>(curve_steps) + 0.5f;
  return {curve[static_cast<int>(index[0])], curve[static_cast<int>(index[1])],
          curve[static_cast<int>(index[2])]};
}

YCbCr to_ycbcr(const Color& c, ColorMatrix matrix) {
  const bool hd = matrix == ColorMatrix::bt709;
  const float luma =
      hd ? 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2] : 0.299f * c[0] + 0.587f * c[1] + 0.114f * c[2];
  return {16.f + 219.f * luma, 128.f + 224.f * (c[2] - luma) / (hd ? 1.8556f : 1.772f),
          128.f + 224.f * (c[0] - luma) / (hd ? 1.5748f : 1.402f)};
}

uint8_t round_to_byte(float value) {
  return static_cast<uint8_t>(value <= 0.f ? 0.f : value >= 255.f ? 255.f : value + 0.5f);
}

PictureFormat picture_format(int width_px, int height_px) {
  return working_format({.width = width_px, .height = height_px});
}

}  // namespace vantage::synth
