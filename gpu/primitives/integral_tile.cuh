// One tile of the single-pass integral image: its shape, how its input reaches shared memory and its sums
// leave the registers.
#pragma once

#include <type_traits>

#include "gpu/primitives/integral_source.cuh"

namespace vantage::gpu::integral {

// 16 warps; a warp owns 4 rows of the tile over its whole width, a thread 2 x 16 bytes of output in each.
inline constexpr int kTileWarps = 16;
inline constexpr int kTileThreads = kTileWarps * 32;
inline constexpr int kWarpRows = 4;
inline constexpr int kTileRows = kTileWarps * kWarpRows;
inline constexpr int kHalves = 2;

template <typename In, typename Out>
struct Tile {
  // Sums inside a tile, and of a tile's rows to the left, of bytes fit 32 bits: 64 * 65,536 * 255 < 2^32.
  using Local = std::conditional_t<std::is_same_v<In, uint8_t>, uint32_t, Out>;
  // Whole sums; u8 -> f32 is exact until it is rounded at the end.
  using Global = std::conditional_t<std::is_same_v<In, uint8_t> && std::is_same_v<Out, float>, Wide, Out>;

  static constexpr int kVector = 16 / static_cast<int>(sizeof(Out));  // columns a thread owns side by side
  static constexpr int kHalfColumns = 32 * kVector;
  static constexpr int kColumns = kHalves * kHalfColumns;
  static constexpr int kColumnParts = kTileThreads / kColumns;  // threads that share a column's look-back
  static constexpr int kRowParts = kTileThreads / kTileRows;

  struct alignas(sizeof(In) * kVector) InPack {
    In v[kVector];
  };
  struct alignas(16) OutPack {
    Out v[kVector];
  };

  struct Shared {
    alignas(16) In input[kTileRows * kColumns];
    alignas(16) Local warp_columns[kTileWarps][kColumns];  // sums of the warps above, inside the tile
    alignas(16) Global column_parts[kColumnParts][kColumns];
    Global corner_parts[kTileWarps];
    Local row_parts[kRowParts][kTileRows];
    Local row_carry[kTileRows];  // sum of everything left of the tile in its rows, down to this one
    long long ticket[2];
  };
};

// Copies kBytes of which the first `valid` exist; the rest becomes 0. Asynchronous where the device can.
template <int kBytes>
__device__ void copy_to_shared(void* to, const void* from, int valid) {
#if __CUDA_ARCH__ >= 800
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(valid)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(address), "l"(from), "n"(kBytes),
                 "r"(valid)
                 : "memory");
  }
#else
  for (int i = 0; i < kBytes; ++i)
    static_cast<unsigned char*>(to)[i] = i < valid ? static_cast<const unsigned char*>(from)[i] : 0;
#endif
}

__device__ inline void end_of_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

__device__ inline void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// The input under a tile, in pieces of kBytes, each aligned in global memory; pieces of several elements need
// an unshifted source.
template <int kBytes, typename In, typename Out>
__device__ void load_pieces(const Source<In>& in, int image, int x0, int y0, In* to) {
  constexpr int kElements = kBytes / static_cast<int>(sizeof(In));
  constexpr int kPieces = Tile<In, Out>::kColumns / kElements;
  for (int i = static_cast<int>(threadIdx.x); i < kTileRows * kPieces; i += kTileThreads) {
    const int x = x0 + i % kPieces * kElements - in.shift, y = y0 + i / kPieces - in.shift;
    int valid = 0;
    if (x >= 0 && y >= 0 && x < in.width && y < in.height)
      valid = min(in.width - x, kElements) * static_cast<int>(sizeof(In));
    const void* from = valid > 0 ? static_cast<const void*>(in.row(image, y) + x) : in.first;
    copy_to_shared<kBytes>(to + i * kElements, from, valid);
  }
}

// The same for bytes at any address: four loads make a word.
template <typename Out>
__device__ void load_bytes(const Source<uint8_t>& in, int image, int x0, int y0, uint8_t* to) {
  constexpr int kWords = Tile<uint8_t, Out>::kColumns / 4;
  for (int i = static_cast<int>(threadIdx.x); i < kTileRows * kWords; i += kTileThreads) {
    const uint8_t* row = in.row_under(image, y0 + i / kWords);
    const int x = x0 + i % kWords * 4;
    const uint32_t word = in.element(row, x) | in.element(row, x + 1) << 8 | in.element(row, x + 2) << 16 |
                          static_cast<uint32_t>(in.element(row, x + 3)) << 24;
    reinterpret_cast<uint32_t*>(to)[i] = word;
  }
}

// `piece_bytes` is the largest of 16, 8, 4 that the alignment allows and no smaller than an element, or 1.
template <typename In, typename Out>
__device__ void load_tile(const Source<In>& in, int piece_bytes, int image, int x0, int y0, In* to) {
  if (piece_bytes == 16) {
    load_pieces<16, In, Out>(in, image, x0, y0, to);
  } else if constexpr (sizeof(In) == 1) {
    if (piece_bytes == 4) {
      load_pieces<4, In, Out>(in, image, x0, y0, to);
    } else {
      load_bytes<Out>(in, image, x0, y0, to);
    }
  } else {
    load_pieces<static_cast<int>(sizeof(In)), In, Out>(in, image, x0, y0, to);
  }
  end_of_copies();
}

template <typename In, typename Out>
__device__ void store_pack(const typename Tile<In, Out>::OutPack& pack, Out* row, int x, int width,
                           bool whole) {
  constexpr int kVector = Tile<In, Out>::kVector;
  if (whole && x + kVector <= width) {
    *reinterpret_cast<typename Tile<In, Out>::OutPack*>(row + x) = pack;
    return;
  }
#pragma unroll
  for (int k = 0; k < kVector; ++k)
    if (x + k < width) row[x + k] = pack.v[k];
}

}  // namespace vantage::gpu::integral
