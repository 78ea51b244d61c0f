// How belief propagation on heights lies in device memory.
//
// As on the CPU an edge belongs to its even end, and pixels of one colour and row have index x / 2.
// Arrays are label-major in pieces of 16 bytes: piece g of pixel i holds 4 (fp32) or 8 (fp16) consecutive
// heights, and consecutive threads read consecutive pieces. "No head" has arrays of its own. The number of
// heights is rounded up to a multiple of 8; the heights beyond cost kUnusedCost and are never chosen. That
// leaves the others' messages as they are: below, the envelope grows by a step a label there, as it does
// beyond the last label.
#pragma once

#include <cuda_fp16.h>
#include <cstdint>

#include "core/image/image_view.h"

namespace vantage::gpu {

inline constexpr float kUnusedCost = 10000.0f;
inline constexpr int kBeliefThreads = 128;

enum BeliefDirection { kLeft, kRight, kUp, kDown };

// How heights lie in a piece of 16 bytes.
template <typename Store>
struct PieceOf;

template <>
struct PieceOf<float> {
  using Piece = float4;
  static constexpr int kHeights = 4;
  static __device__ __forceinline__ void unpack(const Piece& piece, float* to) {
    to[0] = piece.x, to[1] = piece.y, to[2] = piece.z, to[3] = piece.w;
  }
  static __device__ __forceinline__ Piece pack(const float* from) {
    return make_float4(from[0], from[1], from[2], from[3]);
  }
};

template <>
struct PieceOf<__half> {
  using Piece = uint4;
  static constexpr int kHeights = 8;
  static __device__ __forceinline__ void unpack(const Piece& piece, float* to) {
    const unsigned words[4] = {piece.x, piece.y, piece.z, piece.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float2 pair = __half22float2(*reinterpret_cast<const __half2*>(&words[i]));
      to[2 * i] = pair.x, to[2 * i + 1] = pair.y;
    }
  }
  static __device__ __forceinline__ Piece pack(const float* from) {
    unsigned words[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const __half2 pair = __floats2half2_rn(from[2 * i], from[2 * i + 1]);
      words[i] = *reinterpret_cast<const unsigned*>(&pair);
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
  }
};

template <typename Store>
struct BeliefView {
  using Piece = typename PieceOf<Store>::Piece;
  // [direction][piece][pixel] and [direction][pixel], by the colour that sends; one and the same without
  // damping.
  Piece* message[2];
  Store* none_message[2];
  Piece* cost[2];  // [piece][pixel], by colour
  Store* none_cost[2];
  float* shift;  // [direction][pixel]: as seen from the even pixel
  int width, height, half, count, heights;
  int stored_heights;  // with the unused ones
};

struct BeliefCosts {
  float step, jump, damping;
};

// The positions of a pixel's edges, and whether they exist.
struct PixelEdges {
  int slot[4];  // index of the even end
  int side[4];  // its direction there
  bool exists[4];
};

template <typename Store>
__device__ __forceinline__ PixelEdges edges_of(const BeliefView<Store>& view, int color, int index, int x,
                                               int y) {
  PixelEdges edges;
  edges.exists[kLeft] = x > 0;
  edges.exists[kRight] = x + 1 < view.width;
  edges.exists[kUp] = y > 0;
  edges.exists[kDown] = y + 1 < view.height;
  if (color == 0) {
#pragma unroll
    for (int d = 0; d < 4; ++d) edges.slot[d] = index, edges.side[d] = d;
  } else {
    const int odd = x & 1;  // an odd pixel of an even row
    edges.slot[kLeft] = index - 1 + odd, edges.side[kLeft] = kRight;
    edges.slot[kRight] = index + odd, edges.side[kRight] = kLeft;
    edges.slot[kUp] = index - view.half, edges.side[kUp] = kDown;
    edges.slot[kDown] = index + view.half, edges.side[kDown] = kUp;
  }
  return edges;
}

// Data costs and shifts brought into the layout of belief propagation.

// The data cost by colour and in pieces; one thread a pixel, whatever its colour.
template <typename Store>
__global__ void __launch_bounds__(kBeliefThreads)
    pack_costs(const BeliefView<Store> view, const ImageView<const float> costs) {
  using Pieces = PieceOf<Store>;
  constexpr int kPer = Pieces::kHeights;
  const int x = static_cast<int>(blockIdx.x) * kBeliefThreads + static_cast<int>(threadIdx.x);
  if (x >= view.width) return;
  const int pieces = view.stored_heights / kPer;
  for (int y = static_cast<int>(blockIdx.y); y < view.height; y += static_cast<int>(gridDim.y)) {
    const int color = (x + y) & 1, index = y * view.half + x / 2;
    for (int g = 0; g < pieces; ++g) {
      float part[kPer];
#pragma unroll
      for (int k = 0; k < kPer; ++k) {
        const int label = g * kPer + k;
        part[k] = label < view.heights ? costs.at(x, label * view.height + y) : kUnusedCost;
      }
      view.cost[color][g * view.count + index] = Pieces::pack(part);
    }
    view.none_cost[color][index] = static_cast<Store>(costs.at(x, view.heights * view.height + y));
  }
}

__global__ void __launch_bounds__(kBeliefThreads)
    pack_shifts(float* shift, int width, int height, int half, const ImageView<const float> right,
                const ImageView<const float> down) {
  const int index = static_cast<int>(blockIdx.x) * kBeliefThreads + static_cast<int>(threadIdx.x);
  const int count = half * height;
  if (index >= count) return;
  const int y = index / half, x = 2 * (index - y * half) + (y & 1);
  const bool here = x < width;
  shift[kLeft * count + index] = here && x > 0 ? -right.at(x - 1, y) : 0.0f;
  shift[kRight * count + index] = here && x + 1 < width ? right.at(x, y) : 0.0f;
  shift[kUp * count + index] = here && y > 0 ? -down.at(x, y - 1) : 0.0f;
  shift[kDown * count + index] = here && y + 1 < height ? down.at(x, y) : 0.0f;
}

}  // namespace vantage::gpu
