// A picture's expansions at all levels, three launches: blur and resample along y, along x, expand.
#pragma once

#include "gpu/optical_flow/flow_arguments.h"

namespace vantage::gpu {

namespace flow_detail {

// The level that row or tile `i` belongs to, counted through all levels.
template <int PictureLevel::* First>
__device__ const PictureLevel& level_of(const ExpandArguments& a, int i) {
  int k = 0;
  while (k + 1 < a.level_count && i >= a.levels[k + 1].*First) ++k;
  return a.levels[k];
}

}  // namespace flow_detail

// blockIdx.y: a row of a level; x: columns of the picture.
__global__ void flow_resample_columns(const __grid_constant__ ExpandArguments a) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y);
  if (x >= a.picture.width) return;
  const PictureLevel& level = flow_detail::level_of<&PictureLevel::first_row>(a, row);
  const int y = row - level.first_row;
  float sum = 0;
#pragma unroll 4
  for (int tap = 0; tap < level.y.taps; ++tap) {
    const int at = tap * level.y.pitch + y;
    sum = fmaf(level.y.weight[at], static_cast<float>(a.picture.at(x, level.y.index[at])), sum);
  }
  level.columns[static_cast<size_t>(y) * a.picture.width + x] = sum;
}

// blockIdx.y: a row of a level; x: columns of the level. Blocks beyond a narrow level's width have nothing to
// do.
__global__ void flow_resample_rows(const __grid_constant__ ExpandArguments a) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y);
  const PictureLevel& level = flow_detail::level_of<&PictureLevel::first_row>(a, row);
  if (x >= level.width) return;
  const int y = row - level.first_row;
  const float* line = level.columns + static_cast<size_t>(y) * a.picture.width;
  float sum = 0;
#pragma unroll 4
  for (int tap = 0; tap < level.x.taps; ++tap) {
    const int at = tap * level.x.pitch + x;
    sum = fmaf(level.x.weight[at], line[level.x.index[at]], sum);
  }
  level.image[static_cast<size_t>(y) * level.width + x] = sum;
}

// One block a tile: image -> 3 weighted sums along y -> 6 along both -> 5 coefficients.
__global__ void __launch_bounds__(kExpandThreads) flow_expand(const __grid_constant__ ExpandArguments a) {
  constexpr int kMargin = PolynomialWeights::kMaxRadius;
  constexpr int kWidth = kExpandTileWidth + 2 * kMargin, kHeight = kExpandTileHeight + 2 * kMargin;
  __shared__ float image[kHeight][kWidth];
  __shared__ float moment[3][kExpandTileHeight][kWidth];
  const PictureLevel& level =
      flow_detail::level_of<&PictureLevel::first_tile>(a, static_cast<int>(blockIdx.x));
  const PolynomialWeights& w = a.polynomial;
  const int tile = static_cast<int>(blockIdx.x) - level.first_tile, radius = w.radius;
  const int x0 = tile % level.tiles_across * kExpandTileWidth,
            y0 = tile / level.tiles_across * kExpandTileHeight;
  const int width = kExpandTileWidth + 2 * radius, height = kExpandTileHeight + 2 * radius;
  for (int i = threadIdx.x; i < width * height; i += kExpandThreads) {
    const int x = min(max(x0 - radius + i % width, 0), level.width - 1);
    const int y = min(max(y0 - radius + i / width, 0), level.height - 1);
    image[i / width][i % width] = level.image[static_cast<size_t>(y) * level.width + x];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < width * kExpandTileHeight; i += kExpandThreads) {
    const int x = i % width, y = i / width;
    float m0 = w.g[0] * image[y + radius][x], m1 = 0, m2 = 0;
    for (int k = 1; k <= radius; ++k) {
      const float up = image[y + radius - k][x], down = image[y + radius + k][x];
      m0 = fmaf(w.g[k], up + down, m0);
      m1 = fmaf(w.xg[k], down - up, m1);
      m2 = fmaf(w.xxg[k], up + down, m2);
    }
    moment[0][y][x] = m0, moment[1][y][x] = m1, moment[2][y][x] = m2;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kExpandTileWidth * kExpandTileHeight; i += kExpandThreads) {
    const int tx = i % kExpandTileWidth, y = i / kExpandTileWidth, x = tx + radius;
    if (x0 + tx >= level.width || y0 + y >= level.height) continue;
    float m00 = w.g[0] * moment[0][y][x], m01 = w.g[0] * moment[1][y][x], m02 = w.g[0] * moment[2][y][x];
    float m10 = 0, m20 = 0, m11 = 0;
    for (int k = 1; k <= radius; ++k) {
      const float left = moment[0][y][x - k], right = moment[0][y][x + k];
      const float left1 = moment[1][y][x - k], right1 = moment[1][y][x + k];
      m00 = fmaf(w.g[k], left + right, m00);
      m20 = fmaf(w.xxg[k], left + right, m20);
      m10 = fmaf(w.xg[k], right - left, m10);
      m01 = fmaf(w.g[k], left1 + right1, m01);
      m11 = fmaf(w.xg[k], right1 - left1, m11);
      m02 = fmaf(w.g[k], moment[2][y][x - k] + moment[2][y][x + k], m02);
    }
    const float base = w.inverse_03 * m00;
    const size_t at = static_cast<size_t>(y0 + y) * level.width + x0 + tx;
    level.expansion.four[at] = make_float4(w.inverse_11 * m10, w.inverse_11 * m01,
                                           fmaf(w.inverse_33, m20, base), fmaf(w.inverse_33, m02, base));
    level.expansion.fifth[at] = w.inverse_55 * m11;
  }
}

}  // namespace vantage::gpu
