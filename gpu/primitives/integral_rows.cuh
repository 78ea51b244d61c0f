// From a tile's elements and what lies above and beside it to rows of an integral image: the end of the
// single pass.
#pragma once

#include "gpu/primitives/integral_tile.cuh"
#include "gpu/primitives/warp_scan.cuh"

namespace vantage::gpu::integral {

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

// From sums of single columns to sums of all columns up to each, starting at `start`; a warp, over its
// groups.
template <typename T, typename N>
__device__ void scan_columns(N (&values)[T::kGroups][T::kVector], N start, int lane) {
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
}

// The warp's rows go out, `above` being for each column everything above
// them up to that column, and beside(r) everything left of the tile in the tile's rows down to the warp's
// r-th.
template <typename T, typename In, typename Out, typename Beside>
__device__ void write_rows(const Elements<T, In, Out>& elements,
                           typename T::Global (&above)[T::kGroups][T::kVector], const Beside& beside,
                           const Target<Out>& out, bool whole_packs, int image, int x0, int y0, int lane) {
  using Global = typename T::Global;
#pragma unroll
  for (int r = 0; r < T::kWarpRows; ++r) {
    typename T::Local row[T::kGroups][T::kVector];
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g)
#pragma unroll
      for (int k = 0; k < T::kVector; ++k) row[g][k] = elements.at(r, g, k);
    scan_columns<T>(row, typename T::Local(0), lane);
    const auto left = static_cast<Global>(beside(r));
    if (y0 + r >= out.height) continue;
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g) {
      typename T::OutPack pack;
#pragma unroll
      for (int k = 0; k < T::kVector; ++k) {
        above[g][k] += static_cast<Global>(row[g][k]);
        pack.v[k] = static_cast<Out>(above[g][k] + left);
      }
      const int x = x0 + g * T::kGroupColumns + lane * T::kVector;
      Out* to = out.row(image, y0 + r) + x;
      if (whole_packs && x + T::kVector <= out.width) {
        __stcs(reinterpret_cast<float4*>(to), *reinterpret_cast<const float4*>(&pack));
      } else {
#pragma unroll
        for (int k = 0; k < T::kVector; ++k)
          if (x + k < out.width) to[k] = pack.v[k];
      }
    }
  }
}

}  // namespace vantage::gpu::integral
