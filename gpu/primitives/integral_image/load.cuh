// Loads a warp's rows of a tile from the input.
#pragma once

#include "gpu/primitives/integral_image/tile.cuh"

namespace vantage::gpu::integral {

template <typename Local>
struct RowSums {
  Local own;    // of the warp's row of this lane's number
  Local total;  // of all of its rows
};

// Calls whole(row, group, place of a pack) where all of the warp's rows are there, in packs that can be read
// whole; else single(row, group, number in the pack, element).
template <typename T, typename In, typename Whole, typename Single>
__device__ void load_elements(const Source<In>& in, bool whole_packs, const WarpPlace& at, const Whole& whole,
                              const Single& single) {
  if (whole_packs && at.x0 + T::kColumns <= in.width && at.y0 + T::kWarpRows <= in.height) {
    const In* row = in.row(at.image, at.y0) + at.x<T>(0);
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r, row = in.next(row))
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g) whole(r, g, row + g * T::kGroupColumns);
    return;
  }
#pragma unroll
  for (int r = 0; r < T::kWarpRows; ++r) {
    const In* row = in.row_or_null(at.image, at.y0 + r);
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g)
#pragma unroll
      for (int k = 0; k < T::kVector; ++k) single(r, g, k, in.element(row, at.x<T>(g) + k));
  }
}

}  // namespace vantage::gpu::integral
