// Pictures moved by parts of a pixel: what lies at (x + dx, y + dy) comes to (x, y). Each sample is the cubic
// convolution of the 4 x 4 around it (R. Keys, "Cubic convolution interpolation for digital image
// processing", 1981, a = -1/2) with weights in 128ths; the border's samples repeat. Integers, so that CPU and
// CUDA agree exactly.
#pragma once

#include <cstdint>

#include "core/image/picture.h"

namespace vantage {

struct PictureShift {
  int dx_16 = 0, dy_16 = 0;  // sixteenths of a luma pixel
  bool operator==(const PictureShift&) const = default;
};

// The four samples along an axis: the first one's distance, and their weights, 128 in all.
struct ShiftWeights {
  static constexpr int kOne = 128, kOneSquared = kOne * kOne;
  int first = 0;
  int weight[4] = {};
};
ShiftWeights shift_weights(int thirty_seconds);

// Shift of one plane: luma samples lie twice as close as chroma.
struct PlaneShift {
  ShiftWeights x, y;
};
PlaneShift plane_shift(const PictureShift& shift, bool chroma);

// Samples in sums of weights, as a grey level.
#ifdef __CUDACC__
__host__ __device__
#endif
    inline uint8_t
    shifted_level(int sum) {
  const int level = (sum + ShiftWeights::kOneSquared / 2) >> 14;
  return static_cast<uint8_t>(level < 0 ? 0 : level > 255 ? 255 : level);
}

// In host memory.
Result<Picture> shifted(const Picture& picture, const PictureShift& shift, BufferPool& pool);

}  // namespace vantage
