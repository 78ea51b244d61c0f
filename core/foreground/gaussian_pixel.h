// The arithmetic of one pixel of the running Gaussian and of its light, shared by the CPU and the CUDA model:
// same operations, same order, in float. Plain data and functions: .cu files include this header. The
// formulas are in foreground.h, the evidence of a pixel's differences in gaussian_evidence.h.
//
// The model keeps a mean and a variance (both f32) per luma sample and per chroma sample: six planes, Y' at
// picture size, Cb and Cr at ((width + 1) / 2) x ((height + 1) / 2), 12 bytes a pixel in all.
#pragma once

#include "core/foreground/light_change.h"
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
  float edge_low;            // share of the largest distance near by that still is the background's
  float undecided_level;     // the lowest vote where person and scene look alike, in grey levels
  float learning_rate;
  float absorption_rate;
};

// Brings a chroma component into the white balance that the scene was learnt in:
// 128 + chroma_scale (C - 128) + luma_scale Y, Y the mean luma of its block above black.
struct ChromaBalance {
  float chroma_scale, luma_scale;
};
// The balance from q_B or q_R. With q, blue or red is 1 / q of the picture's, and luma is unchanged: only a
// surface of strong colour would change it by more than a level.
VANTAGE_HD ChromaBalance chroma_balance(float gain, float share) {
  return {1.0f / gain, share * (1.0f / gain - 1.0f)};
}

// The gains that light_change.h finds for one frame; by LightChannel.
struct LightGains {
  float of[kLightChannels] = {1.0f, 1.0f, 1.0f};
};

// The light of one frame: the picture's black, and what changed since the scene was learnt.
struct FrameLight {
  float black;               // grey level
  float gain;                // g
  float inverse_gain;        // 1 / g
  float darkest;             // g * darkest_shadow
  ChromaBalance balance[2];  // of Cb and Cr
};
VANTAGE_HD FrameLight frame_light(float black, const LightGains& gains, float darkest_shadow) {
  const float gain = gains.of[kBrightness];
  return {black,
          gain,
          1.0f / gain,
          gain * darkest_shadow,
          {chroma_balance(gains.of[kBlue], kBlueShare), chroma_balance(gains.of[kRed], kRedShare)}};
}

// True if the picture's chroma is unchanged.
VANTAGE_HD bool keeps_balance(const FrameLight& light) {
  return light.balance[0].chroma_scale == 1.0f && light.balance[1].chroma_scale == 1.0f;
}

// A chroma sample in the white balance of the scene; `luma` is the block's mean above black.
VANTAGE_HD float balanced(float chroma, float luma, ChromaBalance balance) {
  return 128.0f + (balance.chroma_scale * (chroma - 128.0f) + balance.luma_scale * luma);
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

// The update of a foreground sample: of the mean alone, so that passers-by do not widen the variance.
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

// The values of the empty scene within the displacement.
struct Interval {
  float low, high;
};
constexpr float kChromaDisplacement = 2.0f / 3.0f;  // compared with that of luma
// `smallest` and `largest` are those of the means of the 3x3 samples around.
VANTAGE_HD Interval displaced(float mean, float smallest, float largest, float displacement) {
  return {mean - displacement * (mean - smallest), mean + displacement * (largest - mean)};
}

// A channel has values of 0 to 219 above black; near their end it is clipped, and its chroma without the
// clipping is unknown. `luma` is the block's mean above black.
VANTAGE_HD bool near_white(float luma, float cb, float cr) {
  const float blue = (cb - 128.0f) * (1.0f / kBlueShare), red = (cr - 128.0f) * (1.0f / kRedShare);
  const float stronger = blue > red ? blue : red;
  return luma + (stronger > 0.0f ? stronger : 0.0f) > kBrightestCounted;
}
// A chroma difference from the scene: as balanced; of a clipped sample the value nearest to 0 between the
// balanced and the shown one.
VANTAGE_HD float balanced_difference(float balanced, float shown, bool clipped) {
  if (!clipped) return balanced;
  if (balanced > 0.0f) return shown < 0.0f ? 0.0f : (shown < balanced ? shown : balanced);
  return shown > 0.0f ? 0.0f : (shown > balanced ? shown : balanced);
}

// A range of light on the scene.
struct LightRange {
  float least, most;
};

// Signed distance, in grey levels, of a value from the interval between its low end in the minimum light and
// its high end in the maximum light.
VANTAGE_HD float beyond(float value, Interval scene, float zero, LightRange light) {
  const float low = zero + light.least * (scene.low - zero), high = zero + light.most * (scene.high - zero);
  const float below = value < low ? value - low : 0.0f;
  return value > high ? value - high : below;
}

}  // namespace vantage
