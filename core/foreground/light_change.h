// How much brighter or darker the whole picture is than the learnt scene: the median over a sample of 2x2
// blocks of sum Y / sum mY, both above black. A median, so that people and shadows do not matter as long as
// they cover less than half. Shared by the CPU and the CUDA model; plain functions: .cu files include this
// header.
//
// The ratios are counted in a histogram of whole numbers, which is the same in whatever order blocks are
// counted; the median is interpolated linearly within its bin.
#pragma once

#include <cstdint>

#include "core/geometry/projection.h"

namespace vantage {

constexpr int kLightBins = 2048, kLightBinsPerUnit = 512;  // ratios 0 to 4
constexpr int kLightSpacing = 4;                           // in blocks: one in 16 is counted
constexpr uint32_t kFewestLightSamples = 100;              // with fewer the gain is 1
constexpr float kNoLightChange = 0.01f;  // a change is shortened by this much; smaller is none
// A block's mean above black has to lie between these in the picture, and its mean in the scene above the
// first.
constexpr float kDimmestCounted = 24.0f, kBrightestCounted = 205.0f;

// The bin of a block of four luma samples, from values and means above black summed by block_total(); -1: it
// does not count.
VANTAGE_HD int light_bin(float values, float means) {
  if (!(means >= 4 * kDimmestCounted && values >= 4 * kDimmestCounted && values <= 4 * kBrightestCounted))
    return -1;
  const int bin = static_cast<int>(values / means * kLightBinsPerUnit);
  return bin < kLightBins ? bin : kLightBins - 1;
}

// Whether the median of `total` samples lies in a bin of `count` samples with `before` in the bins below.
VANTAGE_HD bool holds_median(uint32_t before, uint32_t count, uint32_t total) {
  return 2 * before <= total && 2 * (before + count) > total;
}

// g, from the bin that holds the median, within [1 / largest_change, largest_change].
VANTAGE_HD float light_gain(int bin, uint32_t before, uint32_t count, uint32_t total, float largest_change) {
  const float within =
      (0.5f * static_cast<float>(total) - static_cast<float>(before)) / static_cast<float>(count);
  const float ratio = (static_cast<float>(bin) + within) / kLightBinsPerUnit;
  float gain = 1.0f;
  if (ratio > 1.0f + kNoLightChange) gain = ratio - kNoLightChange;
  if (ratio < 1.0f - kNoLightChange) gain = ratio + kNoLightChange;
  const float least = 1.0f / largest_change;
  if (gain < least) return least;
  return gain < largest_change ? gain : largest_change;
}

}  // namespace vantage
