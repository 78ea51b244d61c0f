// The evidence in one pixel's differences from the running Gaussian: distances, and the vote for foreground.
// Shared by the CPU and the CUDA model like gaussian_pixel.h.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/foreground/gaussian_pixel.h"

namespace vantage {

// The square of a difference in grey levels, in variances.
VANTAGE_HD float in_variances(float difference, float variance, float min_variance) {
  return difference * difference / (variance > min_variance ? variance : min_variance);
}

// The difference of a chroma sample from the scene, in grey levels.
struct ChromaDifference {
  float cb, cr;
};

// The part that the colour of shadows does not explain; `luma_difference` is block_difference().
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

// The chroma evidence for a luma sample: c and the mean luma difference of its 2x2 block.
struct ChromaEvidence {
  float distance, difference;
};
constexpr float kSimilarity = 1.0f / 16.0f;  // 1 / (4 grey levels)^2
VANTAGE_HD float chroma_share(float share, float block_difference, float pixel_difference) {
  const float apart = pixel_difference - block_difference;
  return share / (1.0f + apart * apart * kSimilarity);
}

// Shade of a block: begins at this share of the full light, is complete a twentieth below.
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

// The distance less the part of a nearby edge. `smallest`, `largest`: of the 3x3 pixels' distances.
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

// Degree, 0 to 1, to which a block may show a person who looks like the scene: in shade, where clothes of
// that colour would look the same, and in the dark, where dark clothes before a dark surface would.
constexpr float kDarkBegins = 48.0f, kDarkSlope = 1.0f / 16.0f;  // grey levels above black
VANTAGE_HD float undecided(float luma, float light, const FrameLight& frame) {
  const float dark = unit_clamp((kDarkBegins - luma) * kDarkSlope), shade = shade_of(light, frame);
  return dark > shade ? dark : shade;
}
// The lowest vote that a block's pixels can have, in grey levels.
VANTAGE_HD uint8_t undecided_level(float luma, float light, const FrameLight& frame,
                                   const GaussianSettings& s) {
  return static_cast<uint8_t>(static_cast<int>(undecided(luma, light, frame) * s.undecided_level + 0.5f));
}

// The mask is taken from the stored indicator: 128 is the first level at or above one half.
VANTAGE_HD bool is_foreground(uint8_t level) {
  return level >= 128;
}

}  // namespace vantage
