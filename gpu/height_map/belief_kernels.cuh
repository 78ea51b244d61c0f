// Kernels of belief propagation on heights.
//
// Layout: as on the CPU an edge belongs to its even end, and pixels of one colour and row have index x / 2.
// Arrays are label-major in pieces of 16 bytes: piece g of pixel i holds 4 (fp32) or 8 (fp16) consecutive
// heights, and consecutive threads read consecutive pieces. "No head" has arrays of its own. The number of
// heights is rounded up to a multiple of 8; the heights beyond cost kUnusedCost and are never chosen. That
// leaves the others' messages as they are: below, the envelope grows by a step a label there, as it does
// beyond the last label.
//
// One thread reads the four incoming messages of a pixel once, keeps them in registers and writes the four
// outgoing ones into the same slots. Bytes a pixel and iteration: 9 messages' worth (4 in, 4 out, the data
// cost) for half of the pixels.
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

// Where the edges of a pixel lie and whether they exist.
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

// out(k) = min_j h(j) + s |j - k - c|, all pairs; w holds h and becomes the message.
template <int N>
__device__ __forceinline__ void published_message(float (&w)[N], float shift, float step) {
  float out[N];
#pragma unroll(N <= 24 ? N : 1)
  for (int k = 0; k < N; ++k) {
    const float x = static_cast<float>(k) + shift;
    float best = w[0] + step * fabsf(-x);
#pragma unroll
    for (int j = 1; j < N; ++j) best = fminf(best, w[j] + step * fabsf(static_cast<float>(j) - x));
    out[k] = best;
  }
#pragma unroll
  for (int k = 0; k < N; ++k) w[k] = out[k];
}

// The same in two passes; see core/height_map/belief_kernels.cpp. Only register arrays with constant indices:
// the shift's whole part moves the message one label at a time, mostly not at all or once.
template <int N>
__device__ __forceinline__ void linear_message(float (&w)[N], float shift, float step) {
  const float whole = floorf(shift);
  const float up = step * (shift - whole), down = step - up;
  float h[N];
#pragma unroll
  for (int k = 0; k < N; ++k) h[k] = w[k];
#pragma unroll
  for (int k = N - 2; k >= 0; --k) w[k] = fminf(h[k], w[k + 1] + step);
  float before = w[0] + down;  // the envelope at -1
  float f = h[0];
#pragma unroll
  for (int k = 0; k < N; ++k) {
    if (k > 0) f = fminf(h[k], f + step);
    w[k] = k + 1 < N ? fminf(f + up, w[k + 1] + down) : f + up;
  }
  int steps = static_cast<int>(whole);
  for (; steps < 0; ++steps) {
#pragma unroll
    for (int k = N - 1; k > 0; --k) w[k] = w[k - 1];
    w[0] = before;
    before += step;
  }
  for (; steps > 0; --steps) {
#pragma unroll
    for (int k = 0; k + 1 < N; ++k) w[k] = w[k + 1];
    w[N - 1] += step;
  }
}

// One iteration: all messages of one colour's pixels.
template <typename Store, int N, bool kPublished, bool kDamped>
__global__ void __launch_bounds__(kBeliefThreads)
    send_messages(const BeliefView<Store> view, int color, const BeliefCosts costs) {
  using Pieces = PieceOf<Store>;
  using Piece = typename Pieces::Piece;
  constexpr int kPer = Pieces::kHeights, kPieces = N / kPer;
  const int index = static_cast<int>(blockIdx.x) * kBeliefThreads + static_cast<int>(threadIdx.x);
  if (index >= view.count) return;
  const int y = index / view.half;
  const int x = 2 * (index - y * view.half) + ((y + color) & 1);
  if (x >= view.width) return;
  const PixelEdges edges = edges_of(view, color, index, x, y);
  const Piece* const in = view.message[1 - color];
  const Store* const none_in = view.none_message[1 - color];

  Piece message[4][kPieces];
  float none[4], sum[N];
#pragma unroll
  for (int g = 0; g < kPieces; ++g) Pieces::unpack(view.cost[color][g * view.count + index], sum + g * kPer);
  float none_sum = static_cast<float>(view.none_cost[color][index]);
#pragma unroll
  for (int d = 0; d < 4; ++d) {
    none[d] = 0;
#pragma unroll
    for (int g = 0; g < kPieces; ++g) {
      message[d][g] = {};
      if (edges.exists[d]) message[d][g] = in[(edges.side[d] * kPieces + g) * view.count + edges.slot[d]];
    }
    if (edges.exists[d]) none[d] = static_cast<float>(none_in[edges.side[d] * view.count + edges.slot[d]]);
  }
#pragma unroll
  for (int d = 0; d < 4; ++d) {
#pragma unroll
    for (int g = 0; g < kPieces; ++g) {
      float part[kPer];
      Pieces::unpack(message[d][g], part);
#pragma unroll
      for (int k = 0; k < kPer; ++k) sum[g * kPer + k] += part[k];
    }
    none_sum += none[d];
  }

#pragma unroll
  for (int d = 0; d < 4; ++d) {
    if (!edges.exists[d]) continue;
    const float kept_shift = view.shift[edges.side[d] * view.count + edges.slot[d]];
    const float shift = color == 0 ? kept_shift : -kept_shift;
    float w[N];
    float lowest = kUnusedCost;
#pragma unroll
    for (int g = 0; g < kPieces; ++g) {
      float part[kPer];
      Pieces::unpack(message[d][g], part);
#pragma unroll
      for (int k = 0; k < kPer; ++k) {
        w[g * kPer + k] = sum[g * kPer + k] - part[k];
        lowest = fminf(lowest, w[g * kPer + k]);
      }
    }
    const float none_h = none_sum - none[d];
    if constexpr (kPublished)
      published_message<N>(w, shift, costs.step);
    else
      linear_message<N>(w, shift, costs.step);
    const float cap = none_h + costs.jump, to_none = fminf(lowest + costs.jump, none_h);
    float least = to_none;
#pragma unroll
    for (int k = 0; k < N; ++k) {
      w[k] = fminf(w[k], cap);
      // The heights beyond the last may be cheaper than all others when the shift points there.
      if (k < view.heights) least = fminf(least, w[k]);
    }
    float none_out = to_none - least;
    Piece* const out = view.message[color];
    Store* const none_slot = &view.none_message[color][edges.side[d] * view.count + edges.slot[d]];
    if constexpr (kDamped) {
      const float old = static_cast<float>(*none_slot);
      none_out += costs.damping * (old - none_out);
    }
    *none_slot = static_cast<Store>(none_out);
#pragma unroll
    for (int g = 0; g < kPieces; ++g) {
      Piece* const slot = &out[(edges.side[d] * kPieces + g) * view.count + edges.slot[d]];
      float part[kPer];
#pragma unroll
      for (int k = 0; k < kPer; ++k) part[k] = w[g * kPer + k] - least;
      if constexpr (kDamped) {
        float old[kPer];
        Pieces::unpack(*slot, old);
#pragma unroll
        for (int k = 0; k < kPer; ++k) part[k] += costs.damping * (old[k] - part[k]);
      }
      *slot = Pieces::pack(part);
    }
  }
}

// The labels of one colour's pixels, the smallest of equals.
template <typename Store>
__global__ void __launch_bounds__(kBeliefThreads)
    label_pixels(const BeliefView<Store> view, int color, int sender, const ImageView<uint8_t> labels) {
  using Pieces = PieceOf<Store>;
  constexpr int kPer = Pieces::kHeights;
  const int index = static_cast<int>(blockIdx.x) * kBeliefThreads + static_cast<int>(threadIdx.x);
  if (index >= view.count) return;
  const int y = index / view.half;
  const int x = 2 * (index - y * view.half) + ((y + color) & 1);
  if (x >= view.width) return;
  const PixelEdges edges = edges_of(view, color, index, x, y);
  const int pieces = (view.heights + kPer - 1) / kPer, stored_pieces = view.stored_heights / kPer;
  float best = 0;
  int label = -1;
  const auto offer = [&](float value, int candidate) {
    if (label >= 0 && !(value < best)) return;
    best = value;
    label = candidate;
  };
  for (int g = 0; g < pieces; ++g) {
    float sum[kPer];
    Pieces::unpack(view.cost[color][g * view.count + index], sum);
    for (int d = 0; d < 4; ++d) {
      if (!edges.exists[d]) continue;
      float part[kPer];
      Pieces::unpack(view.message[sender][(edges.side[d] * stored_pieces + g) * view.count + edges.slot[d]],
                     part);
#pragma unroll
      for (int k = 0; k < kPer; ++k) sum[k] += part[k];
    }
#pragma unroll
    for (int k = 0; k < kPer; ++k)
      if (g * kPer + k < view.heights) offer(sum[k], g * kPer + k);
  }
  float none = static_cast<float>(view.none_cost[color][index]);
  for (int d = 0; d < 4; ++d)
    if (edges.exists[d])
      none += static_cast<float>(view.none_message[sender][edges.side[d] * view.count + edges.slot[d]]);
  offer(none, view.heights);
  labels.at(x, y) = static_cast<uint8_t>(label);
}

// One pixel as it stands, a thread a label: planes of heights + 1 numbers, its cost and the messages towards
// it; 0 where there is no neighbour.
template <typename Store>
__global__ void read_pixel(const BeliefView<Store> view, int x, int y, float* out) {
  using Pieces = PieceOf<Store>;
  constexpr int kPer = Pieces::kHeights;
  const int color = (x + y) & 1, index = y * view.half + x / 2, labels = view.heights + 1;
  const int stored_pieces = view.stored_heights / kPer, label = static_cast<int>(threadIdx.x);
  if (label >= labels) return;
  const PixelEdges edges = edges_of(view, color, index, x, y);
  const auto height_of = [&](const typename Pieces::Piece* pieces, int first, int at) {
    float part[kPer];
    Pieces::unpack(pieces[(first + label / kPer) * view.count + at], part);
    return part[label % kPer];
  };
  const bool none = label == view.heights;
  out[label] =
      none ? static_cast<float>(view.none_cost[color][index]) : height_of(view.cost[color], 0, index);
  for (int d = 0; d < 4; ++d) {
    float value = 0;
    if (edges.exists[d])
      value =
          none ? static_cast<float>(view.none_message[1 - color][edges.side[d] * view.count + edges.slot[d]])
               : height_of(view.message[1 - color], edges.side[d] * stored_pieces, edges.slot[d]);
    out[(d + 1) * labels + label] = value;
  }
}

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

struct CheckArguments {
  ImageView<const uint8_t> labels, before;  // before.data null: no earlier labels
  ImageView<uint8_t> unsettled;
  ImageView<const float> costs, right, down;
  double step, jump;
  int width, height, heights;
  double* energies;             // of each row
  unsigned long long* changed;  // likewise
};

// One block a row; the rows' sums are added in order on the host, so that the energy is the same every time.
__global__ void __launch_bounds__(kBeliefThreads) check_rows(const CheckArguments a) {
  const int y = static_cast<int>(blockIdx.x);
  __shared__ double energies[kBeliefThreads];
  __shared__ unsigned counts[kBeliefThreads];
  double sum = 0;
  unsigned changed = 0;
  const auto edge = [&](int p, int q, float shift) {
    if (p == a.heights || q == a.heights) return p == q ? 0.0 : a.jump;
    return a.step * fabs(p - q - static_cast<double>(shift));
  };
  for (int x = static_cast<int>(threadIdx.x); x < a.width; x += kBeliefThreads) {
    const int here = a.labels.at(x, y);
    sum += static_cast<double>(a.costs.at(x, here * a.height + y));
    if (x + 1 < a.width) sum += edge(here, a.labels.at(x + 1, y), a.right.at(x, y));
    if (y + 1 < a.height) sum += edge(here, a.labels.at(x, y + 1), a.down.at(x, y));
    const bool differs = !a.before.data || a.before.at(x, y) != here;
    a.unsettled.at(x, y) = differs ? 255 : 0;
    changed += differs;
  }
  energies[threadIdx.x] = sum;
  counts[threadIdx.x] = changed;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < kBeliefThreads; ++i) sum += energies[i], changed += counts[i];
  a.energies[y] = sum;
  a.changed[y] = changed;
}

}  // namespace vantage::gpu
