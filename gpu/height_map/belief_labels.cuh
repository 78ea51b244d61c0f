// Outputs of belief propagation on heights: labels, one pixel, energy and unsettled pixels.
#pragma once

#include "gpu/height_map/belief_layout.cuh"

namespace vantage::gpu {

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

// The result of a look at a row of the picture.
struct RowCheck {
  double energy;
  unsigned long long changed;  // labels
};
struct CheckArguments {
  ImageView<const uint8_t> labels, before;  // before.data null: no earlier labels
  ImageView<uint8_t> unsettled;
  ImageView<const float> costs, right, down;
  double step, jump;
  int width, height, heights;
  RowCheck* rows;
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
  a.rows[y] = {sum, changed};
}

}  // namespace vantage::gpu
