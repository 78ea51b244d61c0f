// Inclusive prefix sums over the 32 lanes of a warp.
#pragma once

namespace vantage::gpu {

// P. Kogge and H. Stone, 1973: five steps, every lane adds its neighbour at distance 1, 2, 4, 8, 16.
struct KoggeStone {
  template <typename T>
  __device__ static T scan(T value, int lane) {
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      const T other = __shfl_up_sync(0xffffffffu, value, distance);
      if (lane >= distance) value += other;
    }
    return value;
  }
};

// R. Ladner and M. Fischer, 1980: five steps, the upper half of each group of 2, 4, 8, 16, 32 lanes adds the
// last sum of the lower half.
struct LadnerFischer {
  template <typename T>
  __device__ static T scan(T value, int lane) {
#pragma unroll
    for (int half = 1; half < 32; half *= 2) {
      const T other = __shfl_sync(0xffffffffu, value, (lane & ~(2 * half - 1)) + half - 1);
      if (lane & half) value += other;
    }
    return value;
  }
};

}  // namespace vantage::gpu
