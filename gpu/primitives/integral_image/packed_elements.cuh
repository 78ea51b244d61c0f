// A thread's elements of its warp's rows of a tile, from loading to storing. Both classes have
//
//   load()   the elements come; 0 outside the input
//   sum()    the sums of the warp's rows, and of its columns (SummedElements: of all up to each, see
//            Tile::kSummed)
//   scan()   whatever else needs nothing of other tiles, once the sums are published
//   write()  the rows go out, once the sums above and to the left are there
//
// PackedElements (here) keeps bytes in the words they came in, a quarter of the registers, and adds them to
// the rows above when it writes; the sums of what lies before a thread in its rows are found two rows at a
// time. SummedElements (packed_elements.cuh), whose elements are as wide as their sums, replaces
// them by the integral image of the warp's rows before other tiles have answered, so that two
// additions each are left.
#pragma once

#include "gpu/primitives/integral_image/row_writer.cuh"
#include "gpu/primitives/integral_image/tile.cuh"

namespace vantage::gpu::integral {

// Loads a warp's rows of a tile from the input.

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

// kSpilledRows: rows of the warp whose bytes wait in shared memory while the sums of other tiles are polled.
// kScannedRows: rows whose scanned sums wait there, so that they are soon written.
template <typename T, typename In, typename Out, int kSpilledRows, int kScannedRows>
class PackedElements {
 public:
  // Groups whose bytes are in one word: two of 8-byte sums where registers are few.
  static constexpr int kShare = kSpilledRows > 0 ? 4 / T::kVector : 1, kWords = T::kGroups / kShare;
  static_assert(T::kGroups % kShare == 0);
  static constexpr int kSharedBytes = (kSpilledRows * kWords + kScannedRows / 2 * T::kGroups) * T::kThreads *
                                      static_cast<int>(sizeof(uint32_t));
  using Local = typename T::Local;
  using Global = typename T::Global;
  using Columns = typename T::SumPack[T::kGroups];

  __device__ void load(const Source<In>& in, bool whole_packs, const WarpPlace& at) {
    load_elements<T>(
        in, whole_packs, at,
        [&](int r, int g, const In* pack) { put(r, g, 0, *reinterpret_cast<const Bytes*>(pack)); },
        [&](int r, int g, int k, In element) { put(r, g, k, element); });
  }

  __device__ RowSums<Local> sum(Columns& columns, int lane) {
    static_assert(T::kWarpRows % 2 == 0);
    RowSums<Local> sums{};
    uint32_t own = 0;
#pragma unroll
    for (int r = 0; r < T::kWarpRows; r += 2) {
      Local upper = 0, lower = 0;
#pragma unroll
      for (int w = 0; w < kWords; ++w) {
        upper = __dp4a(words_[r][w], kOnes, upper);
        lower = __dp4a(words_[r + 1][w], kOnes, lower);
      }
      const uint32_t both = warp_sum(upper + (lower << 16));
      if (lane / 2 == r / 2) own = both;
      sums.total = __dp2a_lo(both, 0x0101u, sums.total);
    }
    sums.own = own >> (16 * (lane % 2)) & 0xffffu;
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g) sum_columns(g, columns[g]);
    spill();
    return sums;
  }

  __device__ void scan(int lane) const {
#pragma unroll
    for (int r = 0; r < kScannedRows; r += 2) scanned(r) = before(r, lane);
  }

  // `above`: each column over everything above; `beside(r)`: everything left of the tile down to the warp's
  // r-th row; rows: see row_writer.cuh.
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
        const uint32_t bytes = word(r, g / kShare);
        sums[g] += both.v[g] >> (16 * (r % 2)) & 0xffffu;
        const Global start = left + sums[g];
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) {
          above[g][k] = __dp4a(bytes, ones(g, k + 1), above[g][k]);
          packs[g].v[k] = rounded_to<Out>(start + above[g][k]);
        }
      }
      rows.write(packs, rounded_to<Out>(left));
    }
  }

 private:
  using Bytes = std::conditional_t<T::kVector == 4, uint32_t, uint16_t>;  // of a group

  // Sums of two rows, 16 bits each.
  struct alignas(4 * T::kGroups) Pairs {
    uint32_t v[T::kGroups];
  };

  static constexpr int kKeptRows = T::kWarpRows - kSpilledRows;
  static constexpr uint32_t kOnes = 0x01010101u;

  // The position of a group's bytes in its word, and a 1 for each of the first `count` of them.
  __device__ static constexpr int first_byte(int group) { return T::kVector * (group % kShare); }
  __device__ static constexpr uint32_t ones(int group, int count) {
    return kOnes >> (32 - 8 * count) << (8 * first_byte(group));
  }
  // Puts bytes from the k-th byte of the group on.
  __device__ void put(int row, int group, int k, uint32_t bytes) {
    const int byte = first_byte(group) + k;
    uint32_t& word = words_[row][group / kShare];
    word = byte == 0 ? bytes : word | bytes << (8 * byte);
  }
  // Sums of rows r and r + 1 before the thread's columns; both are scanned in one word.
  __device__ Pairs before(int r, int lane) const {
    static_assert(255 * T::kColumns < 65536 && kScannedRows % 2 == 0);
    Pairs pairs;
    uint32_t start = 0;
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g) {
      const uint32_t own = __dp4a(word(r, g / kShare), ones(g, T::kVector), 0u) +
                           (__dp4a(word(r + 1, g / kShare), ones(g, T::kVector), 0u) << 16);
      const uint32_t sums = KoggeStone::scan(own, lane);
      pairs.v[g] = sums - own + start;
      start += __shfl_sync(kAllLanes, sums, 31);
    }
    return pairs;
  }
  // In shared memory: Pairs of scanned rows, then spilled words.
  __device__ static Pairs* all_scanned() {
    extern __shared__ __align__(16) unsigned char waiting[];
    return reinterpret_cast<Pairs*>(waiting);
  }
  __device__ static Pairs& scanned(int row) {
    return all_scanned()[row / 2 * T::kThreads + static_cast<int>(threadIdx.x)];
  }
  __device__ static uint32_t& spilled(int row, int word) {
    auto* const words = reinterpret_cast<uint32_t*>(all_scanned() + kScannedRows / 2 * T::kThreads);
    return words[((row - kKeptRows) * kWords + word) * T::kThreads + static_cast<int>(threadIdx.x)];
  }
  __device__ void spill() const {
#pragma unroll
    for (int r = kKeptRows; r < T::kWarpRows; ++r)
#pragma unroll
      for (int w = 0; w < kWords; ++w) spilled(r, w) = words_[r][w];
  }
  __device__ uint32_t word(int row, int word) const {
    return row < kKeptRows ? words_[row][word] : spilled(row, word);
  }
  __device__ void sum_columns(int group, typename T::SumPack& sums) const {
    static_assert(255 * T::kWarpRows < 65536);  // two sums a word
    uint32_t even = 0, odd = 0;
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r) {
      even += words_[r][group / kShare] & 0x00ff00ffu;
      odd += __byte_perm(words_[r][group / kShare], 0, 0x4341);
    }
#pragma unroll
    for (int k = 0; k < T::kVector; ++k) {
      const int byte = first_byte(group) + k;
      sums.v[k] = (byte % 2 ? odd : even) >> (8 * (byte - byte % 2)) & 0xffffu;
    }
  }

  uint32_t words_[T::kWarpRows][kWords];
};

// Elements as wide as their sums: see packed_elements.cuh.

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
