#include "gpu/codec/narrow.h"

namespace vantage::gpu {
namespace {

constexpr unsigned kThreadsX = 32, kThreadsY = 8;

__global__ void narrow_samples(const uint8_t* from, size_t from_stride_bytes, ImageView<uint8_t> to) {
  const int x = static_cast<int>(blockIdx.x * kThreadsX + threadIdx.x),
            y = static_cast<int>(blockIdx.y * kThreadsY + threadIdx.y);
  if (x >= to.width || y >= to.height) return;
  const auto* row = reinterpret_cast<const uint16_t*>(from + static_cast<size_t>(y) * from_stride_bytes);
  const int sample = row[x] >> 6;
  to.row(y)[x] = static_cast<uint8_t>(min(255, (sample + 2) >> 2));
}

}  // namespace

Status enqueue_narrow(Work& work, const uint8_t* from, size_t from_stride_bytes,
                      const ImageView<uint8_t>& to) {
  const dim3 blocks((static_cast<unsigned>(to.width) + kThreadsX - 1) / kThreadsX,
                    (static_cast<unsigned>(to.height) + kThreadsY - 1) / kThreadsY);
  return launch(work, "narrow_samples", {blocks, dim3(kThreadsX, kThreadsY)}, narrow_samples, from,
                from_stride_bytes, to);
}

}  // namespace vantage::gpu
