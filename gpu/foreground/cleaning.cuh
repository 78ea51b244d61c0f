// Cleaning of the votes: minima and maxima over square windows, one thread a pixel.
#pragma once

#include "core/foreground/cleaning.h"
#include "core/image/image_view.h"
#include "gpu/runtime/dependent_launch.cuh"

namespace vantage::gpu {

constexpr int kCleaningWidth = 32, kCleaningHeight = 16;  // pixels and threads of a block
constexpr int kCleaningRadius = 2 * kMaxCleaningRadius;

// The minimum or maximum over a square window that ends at the picture's border: along rows, then columns,
// of a tile in shared memory. Beyond the border stands what no minimum or maximum chooses.
__global__ void __launch_bounds__(kCleaningWidth* kCleaningHeight)
    window_extreme(const ImageView<const uint8_t> in, const CleaningStep step, const ImageView<uint8_t> out) {
  __shared__ uint8_t tile[kCleaningHeight + 2 * kCleaningRadius][kCleaningWidth + 2 * kCleaningRadius];
  __shared__ uint8_t along[kCleaningHeight + 2 * kCleaningRadius][kCleaningWidth];
  trigger_dependent_launch();
  grid_dependency_sync();
  const int radius = step.radius;
  const int left = static_cast<int>(blockIdx.x) * kCleaningWidth,
            top = static_cast<int>(blockIdx.y) * kCleaningHeight;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int rows = kCleaningHeight + 2 * radius, columns = kCleaningWidth + 2 * radius;
  const auto choose = [&](int a, int b) { return step.maximum ? max(a, b) : min(a, b); };
  const int neutral = step.maximum ? 0 : 255;
  for (int v = ty; v < rows; v += kCleaningHeight)
    for (int u = tx; u < columns; u += kCleaningWidth) {
      const int x = left + u - radius, y = top + v - radius;
      const bool inside = x >= 0 && x < in.width && y >= 0 && y < in.height;
      tile[v][u] = static_cast<uint8_t>(inside ? static_cast<int>(in.at(x, y)) : neutral);
    }
  __syncthreads();
  for (int v = ty; v < rows; v += kCleaningHeight) {
    int chosen = neutral;
    for (int k = 0; k <= 2 * radius; ++k) chosen = choose(chosen, tile[v][tx + k]);
    along[v][tx] = static_cast<uint8_t>(chosen);
  }
  __syncthreads();
  const int x = left + tx, y = top + ty;
  if (x >= in.width || y >= in.height) return;
  int chosen = neutral;
  for (int k = 0; k <= 2 * radius; ++k) chosen = choose(chosen, along[ty + k][tx]);
  out.at(x, y) = static_cast<uint8_t>(chosen);
}

}  // namespace vantage::gpu
