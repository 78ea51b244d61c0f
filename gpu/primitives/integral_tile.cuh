// A tile of an integral image as one block holds it in registers: a warp owns some of its rows over the whole
// width, a thread 16 bytes of output side by side in each of a few groups of columns.
#pragma once

#include <type_traits>

#include "gpu/primitives/integral_source.cuh"

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
  static constexpr bool kBytes = sizeof(In) == 1;
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

// This thread's elements of its warp's rows. Bytes stay in the words they came in until they are added up: to
// take them apart at once would make every load wait for the one before.
template <typename T, typename In, typename Out>
class Elements {
 public:
  using Local = typename T::Local;

  // x0, y0: the warp's first column and row.
  __device__ void load(const Source<In>& in, bool whole_packs, int image, int x0, int y0, int lane) {
    if (whole_packs && x0 + T::kColumns <= in.width && y0 + T::kWarpRows <= in.height)
      load_inside(in, image, x0 + lane * T::kVector, y0);
    else
      load_anywhere(in, image, x0 + lane * T::kVector, y0);
  }
  __device__ Local at(int row, int group, int k) const {
    if constexpr (T::kBytes)
      return v_[row][group] >> (8 * k) & 255u;
    else
      return v_[row][group].v[k];
  }
  __device__ Local sum_of_row(int row) const {
    Local sum = 0;
#pragma unroll
    for (int g = 0; g < T::kGroups; ++g) {
      if constexpr (T::kBytes) {
        sum = __dp4a(v_[row][g], 0x01010101u, sum);
      } else {
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) sum += at(row, g, k);
      }
    }
    return sum;
  }
  // Sums down the warp's rows.
  __device__ typename T::Side sum_of_rows(int group) const {
    typename T::Side sum;
    if constexpr (T::kBytes) {
      static_assert(255 * T::kWarpRows < 65536);  // two sums a word
      uint32_t even = 0, odd = 0;
#pragma unroll
      for (int r = 0; r < T::kWarpRows; ++r) {
        even += v_[r][group] & 0x00ff00ffu;
        odd += v_[r][group] >> 8 & 0x00ff00ffu;
      }
#pragma unroll
      for (int k = 0; k < T::kVector; ++k) sum.v[k] = (k % 2 ? odd : even) >> (8 * (k - k % 2)) & 0xffffu;
    } else {
#pragma unroll
      for (int k = 0; k < T::kVector; ++k) {
        sum.v[k] = 0;
#pragma unroll
        for (int r = 0; r < T::kWarpRows; ++r) sum.v[k] += at(r, group, k);
      }
    }
    return sum;
  }

 private:
  using Word = std::conditional_t<T::kVector == 4, uint32_t, uint16_t>;

  __device__ void load_inside(const Source<In>& in, int image, int x, int y0) {
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r) {
      const In* row = in.row(image, y0 + r) + x;
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g) {
        if constexpr (T::kBytes)
          v_[r][g] = *reinterpret_cast<const Word*>(row + g * T::kGroupColumns);
        else
          v_[r][g] = *reinterpret_cast<const typename T::InPack*>(row + g * T::kGroupColumns);
      }
    }
  }
  __device__ void load_anywhere(const Source<In>& in, int image, int x, int y0) {
#pragma unroll
    for (int r = 0; r < T::kWarpRows; ++r) {
      const In* row = in.row_under(image, y0 + r);
#pragma unroll
      for (int g = 0; g < T::kGroups; ++g) {
        if constexpr (T::kBytes) v_[r][g] = 0;
#pragma unroll
        for (int k = 0; k < T::kVector; ++k) {
          const In element = in.element(row, x + g * T::kGroupColumns + k);
          if constexpr (T::kBytes)
            v_[r][g] |= static_cast<uint32_t>(element) << (8 * k);
          else
            v_[r][g].v[k] = element;
        }
      }
    }
  }

  std::conditional_t<T::kBytes, uint32_t, typename T::InPack> v_[T::kWarpRows][T::kGroups];
};

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
