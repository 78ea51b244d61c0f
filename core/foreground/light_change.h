// Change of the whole picture's light from the learnt scene's: brightness, and white balance as the gain of
// blue and red in addition to it. Three medians over a sample of 2x2 blocks, so that people and shadows do
// not matter as long as they cover less than half:
//
//   g    of  sum Y / sum mY, both above black
//   q_B  of  B / (r mB),  q_R  of  R / (r mR),     r = sum Y / sum mY of the block: it may lie in shade
//
// with blue and red from the block's mean luma above black and its chroma less 128 (ColorChannel):
// B = Y + Cb / kBlueShare. A channel near white is clipped and does not count.
//
// The ratios are counted in histograms of whole numbers, which are the same in whatever order blocks are
// counted; a median is interpolated linearly within its bin. Shared by the CPU and the CUDA model; plain
// functions: .cu files include this header.
#pragma once

#include <cstdint>

#include "core/geometry/projection.h"

namespace vantage {

// A median each.
enum LightChannel : int { kBrightness, kBlue, kRed };
constexpr int kLightChannels = 3;
constexpr int kLightBins = 2048, kLightBinsPerUnit = 512;  // ratios 0 to 4
constexpr int kLightSpacing = 4;                           // in blocks: one in 16 is counted
constexpr uint32_t kFewestLightSamples = 100;              // with fewer the gain is 1
// A change is reduced by this much; a smaller one is none. Chroma is tracked more closely: a hundredth of
// blue at 200 grey levels is more than one level.
constexpr float kNoLightChange = 0.01f, kNoBalanceChange = 0.004f;
// Cb and Cr per grey level of blue and red beyond luma; between those of BT.601 and BT.709.
constexpr float kBlueShare = 0.565f, kRedShare = 0.69f;
// Limits of a block's mean above black in the picture; its mean in the scene must be above the first.
constexpr float kDimmestCounted = 24.0f, kBrightestCounted = 205.0f;

// The bin of a block of four luma samples, from values and means above black summed by block_total(); -1: it
// does not count.
VANTAGE_HD int light_bin(float values, float means) {
  if (!(means >= 4 * kDimmestCounted && values >= 4 * kDimmestCounted && values <= 4 * kBrightestCounted))
    return -1;
  const int bin = static_cast<int>(values / means * kLightBinsPerUnit);
  return bin < kLightBins ? bin : kLightBins - 1;
}

// The bin of blue or red of a block whose light_bin() is not -1, from mean luma above black and chroma less
// 128 of picture and scene; `inverse_share` is 1 / kBlueShare or 1 / kRedShare.
VANTAGE_HD int balance_bin(float luma, float chroma, float mean_luma, float mean_chroma,
                           float inverse_share) {
  const float shown = luma + chroma * inverse_share;
  const float expected = luma / mean_luma * (mean_luma + mean_chroma * inverse_share);
  return light_bin(4.0f * shown, 4.0f * expected);
}

// True if the median of `total` samples is in a bin of `count` samples with `before` in the bins below.
VANTAGE_HD bool holds_median(uint32_t before, uint32_t count, uint32_t total) {
  return 2 * before <= total && 2 * (before + count) > total;
}

// g, q_B or q_R, from the bin that holds the median, within [1 / largest_change, largest_change].
VANTAGE_HD float light_gain(LightChannel channel, int bin, uint32_t before, uint32_t count, uint32_t total,
                            float largest_change) {
  const float none = channel == kBrightness ? kNoLightChange : kNoBalanceChange;
  const float within =
      (0.5f * static_cast<float>(total) - static_cast<float>(before)) / static_cast<float>(count);
  const float ratio = (static_cast<float>(bin) + within) / kLightBinsPerUnit;
  float gain = 1.0f;
  if (ratio > 1.0f + none) gain = ratio - none;
  if (ratio < 1.0f - none) gain = ratio + none;
  const float least = 1.0f / largest_change;
  if (gain < least) return least;
  return gain < largest_change ? gain : largest_change;
}

}  // namespace vantage
