// The arithmetic of one pixel of the running Gaussian, shared by the CPU and the CUDA model: same operations,
// same order, in float. Plain data and functions: .cu files include this header. The formulas are in
// foreground.h.
//
// The model keeps a mean and a variance (both f32) per luma sample and per chroma sample: six planes, Y' at
// picture size, Cb and Cr at ((width + 1) / 2) x ((height + 1) / 2), 12 bytes a pixel in all.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/geometry/projection.h"

namespace vantage {

struct Gaussian {
  float mean, variance;
};

// ForegroundParameters, prepared; see gaussian_settings().
struct GaussianSettings {
  float distance_low;
  float levels_per_distance;  // 255 / (d_high - d_low)
  float chroma_weight;
  float min_variance;
  float darkest_shadow;
  float learning_rate;
  float absorption_rate;
};

// Welford's update; share = 1 / (number of learnt frames, this one included). A model starts from planes of
// zeros, so the first frame (share 1) becomes the mean exactly; its variance is 0.
VANTAGE_HD Gaussian learn_sample(Gaussian g, float value, float share) {
  const float difference = value - g.mean;
  const float mean = g.mean + share * difference;
  return {mean, g.variance + share * (difference * (value - mean) - g.variance)};
}

// The running update of a background sample.
VANTAGE_HD Gaussian update_sample(Gaussian g, float value, float learning_rate) {
  const float difference = value - g.mean;
  return {g.mean + learning_rate * difference,
          g.variance + learning_rate * (difference * difference - g.variance)};
}

// The update of a foreground sample: the mean alone, so that what passes through leaves no wide variance.
VANTAGE_HD Gaussian absorb_sample(Gaussian g, float value, float absorption_rate) {
  return {g.mean + absorption_rate * (value - g.mean), g.variance};
}

// The sum over a 2x2 block in the one order all implementations use; samples beyond the border are 0.
VANTAGE_HD float block_total(float upper_left, float upper_right, float lower_left, float lower_right) {
  return (upper_left + upper_right) + (lower_left + lower_right);
}

// k, from the block's luma values and their means, both summed by block_total().
VANTAGE_HD float block_light(float values, float means, float darkest_shadow) {
  const float ratio = values < means ? values / means : 1.0f;
  return ratio > darkest_shadow ? ratio : darkest_shadow;
}

// (value - expected)^2 / s^2
VANTAGE_HD float squared_distance(float value, float expected, float variance, float min_variance) {
  const float difference = value - expected;
  return difference * difference / (variance > min_variance ? variance : min_variance);
}
VANTAGE_HD float luma_distance(Gaussian g, float value, float light, float min_variance) {
  return squared_distance(value, light * g.mean, g.variance, min_variance);
}
// Chroma is 128 without colour; less light takes colour in proportion.
VANTAGE_HD float chroma_component_distance(Gaussian g, float value, float light, float min_variance) {
  return squared_distance(value, 128.0f + light * (g.mean - 128.0f), g.variance, min_variance);
}

// w_C times the chroma terms; shared by the up to four luma samples of a 2x2 block.
VANTAGE_HD float chroma_distance(float squared_cb, float squared_cr, float chroma_weight) {
  return chroma_weight * (squared_cb + squared_cr);
}

// The indicator in grey levels, rounded to nearest, from the two parts of d^2.
VANTAGE_HD uint8_t indicator_level(float squared_luma, float weighted_chroma, const GaussianSettings& s) {
  const float distance = sqrtf(squared_luma + weighted_chroma);
  const float level = (distance - s.distance_low) * s.levels_per_distance + 0.5f;
  const float low = level > 0.0f ? level : 0.0f;
  return static_cast<uint8_t>(static_cast<int>(low < 255.0f ? low : 255.0f));
}

// The mask is taken from the stored indicator: 128 is the first level at or above one half.
VANTAGE_HD bool is_foreground(uint8_t level) {
  return level >= 128;
}

}  // namespace vantage
