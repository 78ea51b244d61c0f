// A thread's elements of its warp's rows of a tile, from loading to storing. Both classes have
//
//   load()   the elements come; 0 outside the input
//   sum()    the sums of the warp's rows, and of its columns (SummedElements: of all up to each, see
//            Tile::kSummed)
//   write()  the rows go out, once it is known what lies above and beside
//
// PackedElements keeps bytes in the words they came in and sums along the rows when it writes: a quarter of
// the registers. SummedElements, whose elements are as wide as their sums, replaces them by the integral
// image of the warp's rows before anything is known of other tiles, so that two additions each are left.
#pragma once

#include "gpu/primitives/integral_tile.cuh"

namespace vantage::gpu::integral {

template <typename Local>
struct RowSums {
  Local own;    // of the warp's row of this lane's number
  Local total;  // of all of its rows
};

// Calls whole(row, group, place of a pack) where all of the warp's rows are there, in packs that can be read
// whole, else single(row, group, number in the pack, element).
template <typename T, typename In, typename Whole, typename Single>
__device__ void load_elements(const Source<In>& in, bool whole_packs, const WarpPlace& at, const Whole& whole,
                              const Single& single) {
  if (whole_packs && at.x0 + T::kColumns <= in.width && at.y0 + T::kWarpRows <= in.height) {
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r)
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g) whole(r, g, in.row(at.image, at.y0 + r) + at.x<T>(g));
    return;
  }
#pragma unroll
  for (int r = 0; r < T::kWarpRows; ++r) {
    const In* row = in.row_under(at.image, at.y0 + r);
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g)
#pragma unroll
      for (int k = 0; k < T::kVector; ++k) single(r, g, k, in.element(row, at.x<T>(g) + k));
  }
}

template <typename T, typename In, typename Out>
class PackedElements {
 public:
  using Local = typename T::Local;
  using Global = typename T::Global;
  using Columns = typename T::Side[T::kGroups];

  __device__ void load(const Source<In>& in, bool whole_packs, const WarpPlace& at) {
    load_elements<T>(
        in, whole_packs, at,
        [&](int r, int g, const In* pack) { words_[r][g] = *reinterpret_cast<const Word*>(pack); },
        [&](int r, int g, int k, In element) {
          const uint32_t bits = static_cast<uint32_t>(element) << (8 * k);
          words_[r][g] = k == 0 ? bits : words_[r][g] | bits;
        });
  }

  __device__ RowSums<Local> sum(Columns& columns, int lane) {
    RowSums<Local> sums{};
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r) {
      Local row = 0;
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g) row = __dp4a(words_[r][g], 0x01010101u, row);
      row = warp_sum(row);
      if (lane == r) sums.own = row;
      sums.total += row;
    }
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g) sum_columns(g, columns[g]);
    return sums;
  }

  // above: each column over everything above; corner: everything above and left of the tile; beside(r):
  // everything left of the tile in its rows down to the warp's r-th.
  template <typename Beside>
  __device__ void write(Global (&above)[T::kGroups][T::kVector], Global corner, const Beside& beside,
                        const Target<Out>& out, bool whole_packs, const WarpPlace& at) const {
    scan_columns<T>(above, corner, at.lane);
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r) {
      Local row[T::kGroups][T::kVector];
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g)
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) row[g][k] = words_[r][g] >> (8 * k) & 255u;
      scan_columns<T>(row, Local(0), at.lane);
      const auto left = static_cast<Global>(beside(r));
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g) {
        typename T::OutPack pack;
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) {
          above[g][k] += static_cast<Global>(row[g][k]);
          pack.v[k] = static_cast<Out>(above[g][k] + left);
        }
        store<T>(pack, out, whole_packs, at.image, at.x<T>(g), at.y0 + r);
      }
    }
  }

 private:
  using Word = std::conditional_t<T::kVector == 4, uint32_t, uint16_t>;

  __device__ void sum_columns(int group, typename T::Side& sums) const {
    static_assert(255 * T::kWarpRows < 65536);  // two sums a word
    uint32_t even = 0, odd = 0;
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r) {
      even += words_[r][group] & 0x00ff00ffu;
      odd += words_[r][group] >> 8 & 0x00ff00ffu;
    }
#pragma unroll
    for (int k = 0; k < T::kVector; ++k) sums.v[k] = (k % 2 ? odd : even) >> (8 * (k - k % 2)) & 0xffffu;
  }

  uint32_t words_[T::kWarpRows][T::kGroups];
};

template <typename T, typename In, typename Out>
class SummedElements {
 public:
  using Local = typename T::Local;
  using Global = typename T::Global;
  using Columns = typename T::Side[T::kGroups];
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

  // As PackedElements::write(), with above over all of the tile's columns up to each.
  template <typename Beside>
  __device__ void write(Global (&above)[T::kGroups][T::kVector], Global corner, const Beside& beside,
                        const Target<Out>& out, bool whole_packs, const WarpPlace& at) const {
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g)
#pragma unroll
      for (int k = 0; k < T::kVector; ++k) above[g][k] += corner;
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r) {
      const Local left = beside(r);
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g) {
        typename T::OutPack pack;
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) pack.v[k] = v_[r][g].v[k] + (above[g][k] + left);
        store<T>(pack, out, whole_packs, at.image, at.x<T>(g), at.y0 + r);
      }
    }
  }

 private:
  using Pack = typename T::Side;

  Pack v_[T::kWarpRows][T::kGroups];
};

}  // namespace vantage::gpu::integral
