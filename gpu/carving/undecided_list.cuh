// The undecided blocks of a thread block, entered into the list together: adding to one counter is what takes
// time. add() and enter() are to be called by all threads, open() between them, with anything else around.
#pragma once

#include "gpu/carving/ranges.cuh"

namespace vantage::gpu {

class UndecidedList {
 public:
  __device__ void start() {
    if (threadIdx.x == 0) count_ = 0;
  }
  // Behind a barrier. Returns the lane's place among those of the thread block.
  __device__ uint32_t add(bool undecided) {
    const uint32_t lanes = __ballot_sync(0xffffffffu, undecided);
    if (lanes == 0) return 0;
    const int lane = static_cast<int>(threadIdx.x % 32);
    uint32_t first = 0;
    if (lane == 0) first = atomicAdd(&count_, static_cast<uint32_t>(__popc(lanes)));
    first = __shfl_sync(0xffffffffu, first, 0);
    return first + static_cast<uint32_t>(__popc(lanes & ((1u << lane) - 1)));
  }
  __device__ void open(const CarvingScene& scene) {
    __syncthreads();
    if (threadIdx.x == 0 && count_ > 0) first_ = atomicAdd(&scene.counters->undecided, count_);
  }
  __device__ void enter(const CarvingScene& scene, bool undecided, uint32_t place, const BlockIndex& at) {
    __syncthreads();
    if (undecided) scene.undecided[first_ + place] = at;
  }

 private:
  uint32_t count_, first_;
};

}  // namespace vantage::gpu
