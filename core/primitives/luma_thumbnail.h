// A thumbnail of a picture's luma: enough to see whether a camera's view is still what it was.
//
// Cell (x, y) of kWidth x kHeight covers the columns [x W / kWidth, (x + 1) W / kWidth) and likewise the rows
// of a picture of W x H, at least one of each; every second sample of every second row in it, from its first
// one on, counts. Sums and fingerprint are integers, so that CPU and CUDA agree bit by bit.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/base/threads.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"

namespace vantage {

struct LumaThumbnail {
  static constexpr int kWidth = 32, kHeight = 24, kCells = kWidth * kHeight;
  std::array<float, kCells> mean{};  // row by row: the sum over the number of samples, rounded once
  // The sum of value * (2 * (y * W + x) + 1) over all samples that count, modulo 2^64: the same for the same
  // picture, another one for what a sensor makes of the same scene.
  uint64_t fingerprint = 0;
};

// The samples of a cell along one axis of `size` samples divided into `cells`.
struct ThumbnailSpan {
  int begin = 0, end = 0;  // every second one
#ifdef __CUDACC__
  __host__ __device__
#endif
      static ThumbnailSpan
      of(int cell, int size, int cells) {
    const int begin = cell * size / cells, end = (cell + 1) * size / cells;
    return {begin, end > begin ? end : begin + 1};
  }
#ifdef __CUDACC__
  __host__ __device__
#endif
      int
      count() const {
    return (end - begin + 1) / 2;
  }
};
// The weight of a sample in the fingerprint.
#ifdef __CUDACC__
__host__ __device__
#endif
    inline uint64_t
    thumbnail_weight(int x, int y, int width) {
  return 2 * (static_cast<uint64_t>(y) * static_cast<uint64_t>(width) + static_cast<uint64_t>(x)) + 1;
}

// The thumbnail of a picture in host memory that is not empty.
LumaThumbnail luma_thumbnail(const ImageView<const uint8_t>& luma);
// Made from what was summed elsewhere; `sums`: of each cell, row by row.
LumaThumbnail luma_thumbnail(const std::array<int32_t, LumaThumbnail::kCells>& sums, uint64_t fingerprint,
                             int width, int height);

// Pictures lie where the device is and are not empty. Errors: those of the device.
class LumaThumbnails {
 public:
  static constexpr std::string_view kAlgorithm = "luma thumbnail";
  struct Arguments {};
  virtual ~LumaThumbnails() = default;
  virtual Result<Deferred<LumaThumbnail>> make(const Picture& picture) = 0;
};

}  // namespace vantage
