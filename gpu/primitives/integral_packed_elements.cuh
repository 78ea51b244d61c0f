// A thread's elements of its warp's rows of a tile, from loading to storing. Both classes have
//
//   load()   the elements come; 0 outside the input
//   sum()    the sums of the warp's rows, and of its columns (SummedElements: of all up to each, see
//            Tile::kSummed)
//   scan()   whatever else needs nothing of other tiles, once the sums are published
//   write()  the rows go out, once it is known what lies above and beside
//
// PackedElements (here) keeps bytes in the words they came in, a quarter of the registers, and adds them to
// the rows above when it writes; the sums of what lies before a thread in its rows are found two rows at a
// time. SummedElements (integral_summed_elements.cuh), whose elements are as wide as their sums, replaces
// them by the integral image of the warp's rows before anything is known of other tiles, so that two
// additions each are left.
#pragma once

#include "gpu/primitives/integral_load.cuh"
#include "gpu/primitives/integral_row_writer.cuh"

namespace vantage::gpu::integral {

// kParkedRows: of the warp's rows, which wait in shared memory while others' sums are asked for.
// kScannedRows: whose sums do, so that they are soon written.
template <typename T, typename In, typename Out, int kParkedRows, int kScannedRows>
class PackedElements {
 public:
  static constexpr int kSharedBytes =
      (kParkedRows + kScannedRows / 2) * T::kGroups * T::kThreads * static_cast<int>(sizeof(uint32_t));
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
    static_assert(T::kWarpRows % 2 == 0);
    RowSums<Local> sums{};
    uint32_t own = 0;
#pragma unroll
    for (int r = 0; r < T::kWarpRows; r += 2) {
      Local upper = 0, lower = 0;
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g) {
        upper = __dp4a(words_[r][g], kOnes, upper);
        lower = __dp4a(words_[r + 1][g], kOnes, lower);
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

  __device__ void scan(int lane) const {
#pragma unroll
    for (int r = 0; r < kScannedRows; r += 2) scanned(r) = before(r, lane);
  }

  // above: each column over everything above; beside(r): everything left of the tile down to the warp's r-th
  // row; rows: see integral_row_writer.cuh.
  template <typename Beside, typename Rows>
  __device__ void write(Local (&above)[T::kGroups][T::kVector], const Beside& beside, Rows&& rows,
                        int lane) const {
    scan_columns<T>(above, Local(0), lane);
    Local sums[T::kGroups] = {};  // of what is before the thread in the rows down to this one
    Pairs both;
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r) {
      if (r % 2 == 0) both = r < kScannedRows ? scanned(r) : before(r, lane);
      const Global left = beside(r);
      typename T::OutPack packs[T::kGroups];
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g) {
        const uint32_t bytes = word(r, g);
        sums[g] += both.v[g] >> (16 * (r % 2)) & 0xffffu;
        const Global start = left + sums[g];
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) {
          above[g][k] = __dp4a(bytes, kOnes >> (24 - 8 * k), above[g][k]);  // bytes up to the k-th
          packs[g].v[k] = rounded_to<Out>(start + above[g][k]);
        }
      }
      rows.write(packs, rounded_to<Out>(left));
    }
  }

 private:
  using Word = std::conditional_t<T::kVector == 4, uint32_t, uint16_t>;

  // Sums of two rows, 16 bits each.
  struct alignas(4 * T::kGroups) Pairs {
    uint32_t v[T::kGroups];
  };

  static constexpr int kKeptRows = T::kWarpRows - kParkedRows;
  static constexpr uint32_t kOnes = 0x01010101u;

  // Of rows r and r + 1: what lies before the thread's columns. Both are scanned in one word.
  __device__ Pairs before(int r, int lane) const {
    static_assert(255 * T::kColumns < 65536 && kScannedRows % 2 == 0);
    Pairs pairs;
    uint32_t start = 0;
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g) {
      const uint32_t own = __dp4a(word(r, g), kOnes, 0u) + (__dp4a(word(r + 1, g), kOnes, 0u) << 16);
      const uint32_t sums = KoggeStone::scan(own, lane);
      pairs.v[g] = sums - own + start;
      start += __shfl_sync(kAllLanes, sums, 31);
    }
    return pairs;
  }
  // In shared memory: Pairs of scanned rows, then parked words.
  __device__ static Pairs* all_scanned() {
    extern __shared__ __align__(16) unsigned char waiting[];
    return reinterpret_cast<Pairs*>(waiting);
  }
  __device__ static Pairs& scanned(int row) {
    return all_scanned()[row / 2 * T::kThreads + static_cast<int>(threadIdx.x)];
  }
  __device__ static uint32_t& parked(int row, int group) {
    auto* const words = reinterpret_cast<uint32_t*>(all_scanned() + kScannedRows / 2 * T::kThreads);
    return words[((row - kKeptRows) * T::kGroups + group) * T::kThreads + static_cast<int>(threadIdx.x)];
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
