// A tile of an integral image as one block holds it in registers: a warp owns some of its rows over the whole
// width, a thread 16 bytes of output side by side in each of a few groups of columns.
#pragma once

#include <type_traits>

#include "gpu/primitives/integral_source.cuh"
#include "gpu/primitives/warp_scan.cuh"

namespace vantage::gpu::integral {

inline constexpr unsigned kAllLanes = 0xffffffffu;

template <typename In, typename Out, int kGroups_, int kWarpRows_, int kWarps_>
struct Tile {
  // Sums over a column of bytes, or over a tile's rows and everything left of them, fit 32 bits: 65,536 * 255
  // and 256 * 65,536 * 255 < 2^32.
  using Local = std::conditional_t<std::is_same_v<In, uint8_t>, uint32_t, Out>;
  // Whole sums; u8 -> f32 is exact until it is rounded at the end.
  using Global = std::conditional_t<std::is_same_v<In, uint8_t> && std::is_same_v<Out, float>, Wide, Out>;
  static constexpr int kGroups = kGroups_, kWarpRows = kWarpRows_, kWarps = kWarps_;
  static constexpr int kVector = 16 / static_cast<int>(sizeof(Out));
  static constexpr int kGroupColumns = 32 * kVector, kColumns = kGroups * kGroupColumns;
  static constexpr int kRows = kWarps * kWarpRows, kThreads = kWarps * 32;
  // Sums over columns stand for all of the tile's columns up to each (SummedElements), else for each alone.
  static constexpr bool kSummed = std::is_same_v<In, Out>;
  static_assert(kRows <= 256);

  struct alignas(sizeof(In) * kVector) InPack {
    In v[kVector];
  };
  struct alignas(16) OutPack {
    Out v[kVector];
  };
  // A thread's sums side by side, moved at once.
  struct alignas(sizeof(Local) * kVector) Side {
    Local v[kVector];
  };
};

// Where a warp's rows of a tile lie: its first column and row, and the thread's lane.
struct WarpPlace {
  int image, x0, y0, lane;

  template <typename T>
  __device__ int x(int group) const {
    return x0 + group * T::kGroupColumns + lane * T::kVector;
  }
};

template <typename N>
__device__ N warp_sum(N value) {
#if __CUDA_ARCH__ >= 800
  constexpr bool kReduced = std::is_same_v<N, uint32_t>;
#else
  constexpr bool kReduced = false;
#endif
  if constexpr (kReduced) {
    value = __reduce_add_sync(kAllLanes, value);
  } else {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(kAllLanes, value, distance);
  }
  return value;
}

// From a warp's values of single columns to their sums over all columns up to each, beginning with `start`.
// Returns the sum of all.
template <typename T, typename N>
__device__ N scan_columns(N (&values)[T::kGroups][T::kVector], N start, int lane) {
#pragma unroll
  for (int g = 0; g < T::kGroups; ++g) {
#pragma unroll
    for (int k = 1; k < T::kVector; ++k) values[g][k] += values[g][k - 1];
    const N own = values[g][T::kVector - 1], sums = KoggeStone::scan(own, lane);
    N before;
    if constexpr (std::is_integral_v<N>) {
      before = sums - own + start;
    } else {
      before = __shfl_up_sync(kAllLanes, sums, 1);
      before = lane == 0 ? start : before + start;
    }
#pragma unroll
    for (int k = 0; k < T::kVector; ++k) values[g][k] += before;
    start += __shfl_sync(kAllLanes, sums, 31);
  }
  return start;
}

// A thread's elements of one output row go out.
template <typename T, typename Out>
__device__ void store(const typename T::OutPack& pack, const Target<Out>& out, bool whole_packs, int image,
                      int x, int y) {
  if (y >= out.height) return;
  Out* to = out.row(image, y) + x;
  if (whole_packs && x + T::kVector <= out.width) {
    __stcs(reinterpret_cast<float4*>(to), *reinterpret_cast<const float4*>(&pack));
    return;
  }
#pragma unroll
  for (int k = 0; k < T::kVector; ++k)
    if (x + k < out.width) to[k] = pack.v[k];
}

// Asks for the tile that begins at x0, y0, by its whole block. It comes as far as the L2 cache, which whoever
// still writes the input writes through, so a kernel may do this before it waits for the one before it.
template <typename T, typename In>
__device__ void bring_near(const Source<In>& in, bool whole_packs, int image, int x0, int y0) {
  constexpr int kLine = 128, kLines = T::kColumns * static_cast<int>(sizeof(In)) / kLine;
  static_assert(kLines > 0);
  if (!whole_packs || x0 + T::kColumns > in.width || y0 + T::kRows > in.height) return;
  for (int i = static_cast<int>(threadIdx.x); i < kLines * T::kRows; i += T::kThreads)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(in.row(image, y0 + i / kLines) + x0 +
                                                  i % kLines * (kLine / static_cast<int>(sizeof(In)))));
}

}  // namespace vantage::gpu::integral
