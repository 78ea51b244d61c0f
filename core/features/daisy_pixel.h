// The arithmetic of one pixel's histograms, shared by CPU and CUDA: same operations, same order, in float.
// Plain functions: .cu files include this header.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/features/daisy.h"
#include "core/geometry/projection.h"

namespace vantage {

VANTAGE_HD float daisy_bin(const DaisyPlan& plan, int bin, float gradient_x, float gradient_y) {
  const float along = plan.cosine[bin] * gradient_x + plan.sine[bin] * gradient_y;
  return along > 0.0f ? along : 0.0f;
}

// 8 bins to bytes.
VANTAGE_HD void daisy_bytes(const float* bins, float flat, uint8_t* bytes) {
  float squares = 0;
  for (int k = 0; k < kDaisyBins; ++k) squares = squares + bins[k] * bins[k];
  const float length = sqrtf(squares);
  const float scale = 255.0f / (length > flat ? length : flat);
  for (int k = 0; k < kDaisyBins; ++k) bytes[k] = static_cast<uint8_t>(bins[k] * scale + 0.5f);
}

}  // namespace vantage
