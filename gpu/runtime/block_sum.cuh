// The sum of one value per thread over a block.
#pragma once

namespace vantage::gpu {

// To be called by all threads of a block of Threads threads (a multiple of 32, at most 1024), along x. The
// result is valid in thread 0. May be called once a kernel.
template <int Threads>
__device__ inline unsigned block_sum(unsigned value) {
  constexpr unsigned kAll = 0xffffffffu;
  __shared__ unsigned warp_sums[Threads / 32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(kAll, value, offset);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = value;
  __syncthreads();
  unsigned sum = 0;
  if (threadIdx.x == 0)
    for (unsigned warp_sum : warp_sums) sum += warp_sum;
  return sum;
}

}  // namespace vantage::gpu
