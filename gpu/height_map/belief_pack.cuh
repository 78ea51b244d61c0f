// Data costs and shifts brought into the layout of belief propagation.
#pragma once

#include "gpu/height_map/belief_layout.cuh"

namespace vantage::gpu {

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
