// The sum of one value per thread over a block, and of one per block over a kernel.
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

// Adds a thread block's count to a sum that is 0 when the kernel begins. Its upper half counts the thread
// blocks: the last one knows the total by its own addition, without a look at what others wrote, and writes
// it. By one thread of every thread block; the total fits 32 bits.
__device__ inline void add_to_total(unsigned long long* sum, unsigned count, unsigned* total) {
  const unsigned long long mine = 1ull << 32 | count, all = atomicAdd(sum, mine) + mine;
  if (all >> 32 == gridDim.x * gridDim.y * gridDim.z) *total = static_cast<unsigned>(all);
}

}  // namespace vantage::gpu
