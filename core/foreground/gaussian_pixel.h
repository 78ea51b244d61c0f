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
  float votes_per_distance;  // 1 / (d_high - d_low)
  float chroma_weight;
  float min_variance;
  float darkest_shadow;
  float largest_change;
  float displacement;
  float shade_cb, shade_cr;  // what shadows add to chroma, per grey level of luma that they take
  float shade_inverse;       // 1 / (shade_cb^2 + shade_cr^2); 0 where both are 0
  float shaded_weight;       // of averaged chroma in shade, per squared grey level
  float edge_low;            // the share of the largest distance near by that is the background's still
  float learning_rate;
  float absorption_rate;
};

// The light of one frame: the picture's black and the change of brightness since the scene was learnt.
struct FrameLight {
  float black;         // grey level
  float gain;          // g
  float inverse_gain;  // 1 / g
  float darkest;       // g * darkest_shadow
};
VANTAGE_HD FrameLight frame_light(float black, float gain, float darkest_shadow) {
  return {black, gain, 1.0f / gain, gain * darkest_shadow};
}

// Welford's update; share = 1 / (number of learnt frames, this one included). A model starts from planes of
// zeros, so the first frame (share 1) becomes the mean exactly; its variance is 0.
VANTAGE_HD Gaussian learn_sample(Gaussian g, float value, float share) {
  const float difference = value - g.mean;
  const float mean = g.mean + share * difference;
  return {mean, g.variance + share * (difference * (value - mean) - g.variance)};
}

// A sample as it would be in the light the scene was learnt in. `zero` is the picture's black, or 128 for
// chroma.
VANTAGE_HD float in_learnt_light(float value, float zero, const FrameLight& light) {
  return zero + (value - zero) * light.inverse_gain;
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

// k, from the block's luma values above black and their means, both summed by block_total().
VANTAGE_HD float block_light(float values, float means, const FrameLight& light) {
  if (!(values < light.gain * means)) return light.gain;
  return values > light.darkest * means ? values / means : light.darkest;
}

// The block's mean difference from the scene in full light; share = 1 / (samples of the block).
VANTAGE_HD float block_difference(float values, float means, float share, const FrameLight& light) {
  return (values - light.gain * means) * share;
}

// What the empty scene shows within the displacement.
struct Interval {
  float low, high;
};
constexpr float kChromaDisplacement = 2.0f / 3.0f;  // beside that of luma
// `smallest` and `largest` are those of the means of the 3x3 samples around.
VANTAGE_HD Interval displaced(float mean, float smallest, float largest, float displacement) {
  return {mean - displacement * (mean - smallest), mean + displacement * (largest - mean)};
}

// A range of light on the scene.
struct LightRange {
  float least, most;
};

// How far a value lies outside of the interval from its low end in the least light to its high end in the
// most, in grey levels with their sign.
VANTAGE_HD float beyond(float value, Interval scene, float zero, LightRange light) {
  const float low = zero + light.least * (scene.low - zero), high = zero + light.most * (scene.high - zero);
  const float below = value < low ? value - low : 0.0f;
  return value > high ? value - high : below;
}

// The square of a difference in grey levels, in variances.
VANTAGE_HD float in_variances(float difference, float variance, float min_variance) {
  return difference * difference / (variance > min_variance ? variance : min_variance);
}

// What a chroma sample differs by from the scene, in grey levels.
struct ChromaDifference {
  float cb, cr;
};

// The rest of it that the colour of shadows does not explain; `luma_difference` is block_difference().
VANTAGE_HD ChromaDifference without_shade(ChromaDifference d, float luma_difference,
                                          const GaussianSettings& s) {
  const float taken = luma_difference < 0.0f ? -luma_difference : 0.0f;
  const float along = (d.cb * s.shade_cb + d.cr * s.shade_cr) * s.shade_inverse;
  const float positive = along > 0.0f ? along : 0.0f;
  const float explained = positive < taken ? positive : taken;
  return {d.cb - explained * s.shade_cb, d.cr - explained * s.shade_cr};
}

// c, of a chroma sample.
VANTAGE_HD float chroma_distance(ChromaDifference d, float variance_cb, float variance_cr,
                                 const GaussianSettings& s) {
  return sqrtf(s.chroma_weight * (in_variances(d.cb, variance_cb, s.min_variance) +
                                  in_variances(d.cr, variance_cr, s.min_variance)));
}

// A chroma sample as a luma sample sees it: c and the mean luma difference of its 2x2 block.
struct ChromaEvidence {
  float distance, difference;
};
constexpr float kSimilarity = 1.0f / 16.0f;  // 1 / (4 grey levels)^2
VANTAGE_HD float chroma_share(float share, float block_difference, float pixel_difference) {
  const float apart = pixel_difference - block_difference;
  return share / (1.0f + apart * apart * kSimilarity);
}

// How much a block counts as shaded: from this share of the full light down, and in full a twentieth below.
constexpr float kShadeBegins = 0.9f, kShadeSlope = 20.0f;
VANTAGE_HD float unit_clamp(float value) {
  const float positive = value > 0.0f ? value : 0.0f;
  return positive < 1.0f ? positive : 1.0f;
}
VANTAGE_HD float shade_of(float light, const FrameLight& frame) {
  return unit_clamp((kShadeBegins - light * frame.inverse_gain) * kShadeSlope);
}
// Chroma differences added up with their weights, chroma_share(1, ...).
struct WeighedChroma {
  float cb, cr, weight;
};
VANTAGE_HD WeighedChroma plus_chroma(WeighedChroma sum, ChromaDifference d, float weight) {
  return {sum.cb + weight * d.cb, sum.cr + weight * d.cr, sum.weight + weight};
}
// c of a shaded block, by the mean over the 3x3 blocks around, row by row.
VANTAGE_HD float shaded_distance(WeighedChroma sum, float shade, const GaussianSettings& s) {
  const float cb = sum.cb / sum.weight, cr = sum.cr / sum.weight;
  return shade * sqrtf(s.shaded_weight * (cb * cb + cr * cr));
}

// The chroma distance at a luma sample: of its own chroma sample and the next ones along the row, along the
// column and diagonally.
VANTAGE_HD float chroma_at_pixel(ChromaEvidence own, ChromaEvidence along_row, ChromaEvidence along_column,
                                 ChromaEvidence diagonal, float difference) {
  const float a = chroma_share(0.5625f, own.difference, difference),
              b = chroma_share(0.1875f, along_row.difference, difference),
              c = chroma_share(0.1875f, along_column.difference, difference),
              d = chroma_share(0.0625f, diagonal.difference, difference);
  return ((a * own.distance + b * along_row.distance) + (c * along_column.distance + d * diagonal.distance)) /
         ((a + b) + (c + d));
}

VANTAGE_HD float pixel_distance(float squared_luma, float chroma) {
  return sqrtf(squared_luma + chroma * chroma);
}

VANTAGE_HD float vote_of(float distance, const GaussianSettings& s) {
  return unit_clamp((distance - s.distance_low) * s.votes_per_distance);
}

// The distance without what an edge near by lends it. `smallest` and `largest` are the distances' of the 3x3
// pixels around.
constexpr float kEdgeWidth = 0.2f;
VANTAGE_HD float sharpened(float distance, float smallest, float largest, const GaussianSettings& s) {
  const float beside_background = 1.0f - vote_of(smallest, s);
  const float kept =
      unit_clamp((distance - s.edge_low * largest) / (largest > 0.0f ? kEdgeWidth * largest : 1.0f));
  return distance * (1.0f - beside_background * (1.0f - kept));
}

// The vote in grey levels, rounded to nearest.
VANTAGE_HD uint8_t vote_level(float distance, const GaussianSettings& s) {
  return static_cast<uint8_t>(static_cast<int>(255.0f * vote_of(distance, s) + 0.5f));
}

// The mask is taken from the stored indicator: 128 is the first level at or above one half.
VANTAGE_HD bool is_foreground(uint8_t level) {
  return level >= 128;
}

}  // namespace vantage
