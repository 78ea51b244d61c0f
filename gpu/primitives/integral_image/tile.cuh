// A tile of an integral image as one block holds it in registers: a warp owns some of its rows over the whole
// width, a thread 16 bytes of output side by side in each of a few groups of columns.
#pragma once

#include <type_traits>

#include "gpu/primitives/integral_source.cuh"
#include "gpu/primitives/warp_scan.cuh"

namespace vantage::gpu::integral {

inline constexpr unsigned kAllLanes = 0xffffffffu;
inline constexpr int kPackBytes = 16;  // of published sums, read at once

// Global_: of whole sums, which are converted to Out at the end.
template <typename In, typename Out, typename Global_, int kGroups_, int kWarpRows_, int kWarps_>
struct Tile {
  // Sums over a tile's columns and everything above them, or over its rows and everything left of them, fit
  // 32 bits of bytes: 256 * 65,536 * 255 < 2^32.
  using Local = std::conditional_t<std::is_same_v<In, uint8_t>, uint32_t, Out>;
  using Global = Global_;
  static constexpr int kGroups = kGroups_, kWarpRows = kWarpRows_, kWarps = kWarps_;
  static constexpr int kVector = 16 / static_cast<int>(sizeof(Out));
  static constexpr int kGroupColumns = 32 * kVector, kColumns = kGroups * kGroupColumns;
  static constexpr int kRows = kWarps * kWarpRows, kThreads = kWarps * 32;
  // Sums over columns stand for all of the tile's columns up to each (SummedElements), else for each alone.
  static constexpr bool kSummed = std::is_same_v<In, Out>;
  // A published word has 32 bits of sums; of bytes two sums over a row or column of a tile.
  static constexpr bool kPaired = std::is_same_v<In, uint8_t>;
  using Published = std::conditional_t<kPaired, uint32_t, Local>;
  static constexpr int kPackSums = kPaired ? 4 : 8 / static_cast<int>(sizeof(Local));
  static_assert(kRows <= 256 && (!kPaired || kColumns <= 256));

  struct alignas(sizeof(In) * kVector) InPack {
    In v[kVector];
  };
  struct alignas(16) OutPack {
    Out v[kVector];
  };
  // A thread's sums side by side, moved at once.
  struct alignas(sizeof(Local) * kVector) SumPack {
    Local v[kVector];
  };
};

struct TilePlace {
  int image, x, y;  // in tiles
};
// The position of a warp's rows of a tile: its first column and row, and the thread's lane.
struct WarpPlace {
  int image, x0, y0, lane;

  template <typename T>
  __device__ int x(int group) const {
    return x0 + group * T::kGroupColumns + lane * T::kVector;
  }
};

template <typename T>
__device__ WarpPlace warp_place(const TilePlace& tile) {
  const int thread = static_cast<int>(threadIdx.x);
  return {tile.image, tile.x * T::kColumns, tile.y * T::kRows + thread / 32 * T::kWarpRows, thread % 32};
}

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

// Turns a warp's values of single columns into their sums over all columns up to each, beginning with
// `start`. Returns the sum of all.
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

// Prefetches a tile of the input into the L2 cache, by the whole block. A kernel that still writes the input
// writes through that cache, so this can come before grid_dependency_sync().
template <typename T, typename In>
__device__ void prefetch_tile(const Source<In>& in, bool whole_packs, const TilePlace& tile) {
  constexpr int kLine = 128, kLines = T::kColumns * static_cast<int>(sizeof(In)) / kLine;
  static_assert(kLines > 0);
  const int x0 = tile.x * T::kColumns, y0 = tile.y * T::kRows;
  if (!whole_packs || x0 + T::kColumns > in.width || y0 + T::kRows > in.height) return;
  for (int i = static_cast<int>(threadIdx.x); i < kLines * T::kRows; i += T::kThreads)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(in.row(tile.image, y0 + i / kLines) + x0 +
                                                  i % kLines * (kLine / static_cast<int>(sizeof(In)))));
}

}  // namespace vantage::gpu::integral
