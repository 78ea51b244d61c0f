// Messages of belief propagation on heights.
//
// One thread reads the four incoming messages of a pixel once, keeps them in registers and writes the four
// outgoing ones into the same slots. Bytes a pixel and iteration: 9 messages' worth (4 in, 4 out, the data
// cost) for half of the pixels.
#pragma once

#include "gpu/height_map/belief_layout.cuh"

namespace vantage::gpu {

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

}  // namespace vantage::gpu
