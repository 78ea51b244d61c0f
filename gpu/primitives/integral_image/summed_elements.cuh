// Elements as wide as their sums: see packed_elements.cuh.
#pragma once

#include "gpu/primitives/integral_image/load.cuh"
#include "gpu/primitives/integral_image/row_writer.cuh"

namespace vantage::gpu::integral {

template <typename T, typename In, typename Out>
class SummedElements {
 public:
  static constexpr int kSharedBytes = 0;
  using Local = typename T::Local;
  using Global = typename T::Global;
  using Columns = typename T::SumPack[T::kGroups];
  static_assert(std::is_same_v<In, Out>);

  __device__ void load(const Source<In>& in, bool whole_packs, const WarpPlace& at) {
    load_elements<T>(
        in, whole_packs, at,
        [&](int r, int g, const In* pack) { v_[r][g] = *reinterpret_cast<const Pack*>(pack); },
        [&](int r, int g, int k, In element) { v_[r][g].v[k] = element; });
  }

  __device__ RowSums<Local> sum(Columns& columns, int lane) {
    RowSums<Local> sums{};
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r) {
      Local values[T::kGroups][T::kVector];
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g)
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) values[g][k] = v_[r][g].v[k];
      const Local row = scan_columns<T>(values, Local(0), lane);
      if (lane == r) sums.own = row;
      sums.total += row;
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g)
#pragma unroll
        for (int k = 0; k < T::kVector; ++k)
          v_[r][g].v[k] = r > 0 ? v_[r - 1][g].v[k] + values[g][k] : values[g][k];
    }
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g) columns[g] = v_[T::kWarpRows - 1][g];
    return sums;
  }

  __device__ void scan(int) const {}  // sum() has done it

  // As PackedElements::write(), with above over all of the tile's columns up to each.
  template <typename Beside, typename Rows>
  __device__ void write(Local (&above)[T::kGroups][T::kVector], const Beside& beside, Rows&& rows,
                        int) const {
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r) {
      const Global left = beside(r);
      typename T::OutPack packs[T::kGroups];
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g)
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) packs[g].v[k] = v_[r][g].v[k] + (above[g][k] + left);
      rows.write(packs, left);
    }
  }

 private:
  using Pack = typename T::SumPack;

  Pack v_[T::kWarpRows][T::kGroups];
};

}  // namespace vantage::gpu::integral
