// A thread's elements of its warp's rows of a tile, from loading to storing. Both classes have
//
//   load()   the elements come; 0 outside the input
//   sum()    the sums of the warp's rows, and of its columns (SummedElements: of all up to each, see
//            Tile::kSummed)
//   write()  the rows go out, once it is known what lies above and beside
//
// PackedElements (here) keeps bytes in the words they came in and sums along the rows when it writes: a
// quarter of the registers. SummedElements (integral_summed_elements.cuh), whose elements are as wide as
// their sums, replaces them by the integral image of the warp's rows before anything is known of other tiles,
// so that two additions each are left.
#pragma once

#include "gpu/primitives/integral_load.cuh"

namespace vantage::gpu::integral {

// kParkedRows: of the warp's rows, which wait in shared memory while others' sums are asked for.
template <typename T, typename In, typename Out, int kParkedRows>
class PackedElements {
 public:
  static constexpr int kSharedBytes =
      kParkedRows * T::kGroups * T::kThreads * static_cast<int>(sizeof(uint32_t));
  using Local = typename T::Local;
  using Global = typename T::Global;
  using Columns = typename T::Side[T::kGroups];

  __device__ void load(const Source<In>& in, bool whole_packs, const WarpPlace& at) {
    load_elements<T>(
        in, whole_packs, at,
        [&](int r, int g, const In* pack) { words_[r][g] = *reinterpret_cast<const Word*>(pack); },
        [&](int r, In before) { move_right(words_[r], before, at.lane); },
        [&](int r, int g, int k, In element) {
          const uint32_t bits = static_cast<uint32_t>(element) << (8 * k);
          words_[r][g] = k == 0 ? bits : words_[r][g] | bits;
        });
  }

  __device__ RowSums<Local> sum(Columns& columns, int lane) {
    static_assert(T::kWarpRows % 2 == 0);
    RowSums<Local> sums{};
    uint32_t own = 0;
#pragma unroll
    for (int r = 0; r < T::kWarpRows; r += 2) {
      Local upper = 0, lower = 0;
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g) {
        upper = __dp4a(words_[r][g], 0x01010101u, upper);
        lower = __dp4a(words_[r + 1][g], 0x01010101u, lower);
      }
      const uint32_t both = warp_sum(upper + (lower << 16));
      if (lane / 2 == r / 2) own = both;
      sums.total = __dp2a_lo(both, 0x0101u, sums.total);
    }
    sums.own = own >> (16 * (lane % 2)) & 0xffffu;
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g) sum_columns(g, columns[g]);
    park();
    return sums;
  }

  // above: each column over everything above; beside(r): everything left of the tile down to the warp's r-th
  // row.
  template <typename Beside>
  __device__ void write(Local (&above)[T::kGroups][T::kVector], const Beside& beside, const Target<Out>& out,
                        bool whole_packs, const WarpPlace& at) const {
    RowWriter<T, Out> rows(out, whole_packs, at);
    scan_columns<T>(above, Local(0), at.lane);
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r) {
      Local row[T::kGroups][T::kVector];
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g)
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) row[g][k] = word(r, g) >> (8 * k) & 255u;
      scan_columns<T>(row, Local(0), at.lane);
      const Global left = beside(r);
      typename T::OutPack packs[T::kGroups];
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g)
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) {
          above[g][k] += row[g][k];
          packs[g].v[k] = rounded_to<Out>(left + above[g][k]);
        }
      rows.write(packs);
    }
  }

 private:
  using Word = std::conditional_t<T::kVector == 4, uint32_t, uint16_t>;

  static constexpr int kKeptRows = T::kWarpRows - kParkedRows;

  __device__ static uint32_t& parked(int row, int group) {
    extern __shared__ uint32_t parked_words[];
    return parked_words[((row - kKeptRows) * T::kGroups + group) * T::kThreads +
                        static_cast<int>(threadIdx.x)];
  }
  __device__ void park() const {
#pragma unroll
    for (int r = kKeptRows; r < T::kWarpRows; ++r)
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g) parked(r, g) = words_[r][g];
  }
  __device__ uint32_t word(int row, int group) const {
    return row < kKeptRows ? words_[row][group] : parked(row, group);
  }
  __device__ static void move_right(uint32_t (&words)[T::kGroups], uint32_t before, int lane) {
    constexpr int kLast = 8 * (T::kVector - 1);  // bits before the last byte
    uint32_t last = before << kLast;
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g) {
      const uint32_t word = words[g], previous = __shfl_up_sync(kAllLanes, word, 1);
      words[g] = static_cast<Word>(word << 8 | (lane == 0 ? last : previous) >> kLast);
      last = __shfl_sync(kAllLanes, word, 31);
    }
  }
  __device__ void sum_columns(int group, typename T::Side& sums) const {
    static_assert(255 * T::kWarpRows < 65536);  // two sums a word
    uint32_t even = 0, odd = 0;
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r) {
      even += words_[r][group] & 0x00ff00ffu;
      odd += __byte_perm(words_[r][group], 0, 0x4341);
    }
#pragma unroll
    for (int k = 0; k < T::kVector; ++k) sums.v[k] = (k % 2 ? odd : even) >> (8 * (k - k % 2)) & 0xffffu;
  }

  uint32_t words_[T::kWarpRows][T::kGroups];
};

}  // namespace vantage::gpu::integral
