// The equations of one pixel's flow, from the expansions of both pictures, and their solution.
#pragma once

#include "gpu/optical_flow/flow_arguments.h"

namespace vantage::gpu::flow_detail {

// ab - cd without the loss of leading digits of a plain difference of products.
__device__ inline float product_difference(float a, float b, float c, float d) {
  const float cd = c * d;
  return fmaf(a, b, -cd) + fmaf(-c, d, cd);
}

__device__ inline float border_weight(int distance) {
  return distance < 2 ? 0.14f : distance < FlowPlan::kBorder ? 0.4472f : 1.0f;
}
__device__ inline float axis_weight(int i, int size) {
  return border_weight(i) * border_weight(size - 1 - i);
}

__device__ inline float2 coarser_flow(const IterateArguments& a, const FlowView& from, int x, int y) {
  const AxisTable &tx = a.coarse_x, &ty = a.coarse_y;
  const float2* upper = from.data + ty.index[y] * from.pitch;
  const float2* lower = from.data + ty.index[ty.pitch + y] * from.pitch;
  const float wu = ty.weight[y] * a.gain, wl = ty.weight[ty.pitch + y] * a.gain;
  const int left = tx.index[x], right = tx.index[tx.pitch + x];
  const float2 ul = upper[left], ur = upper[right], ll = lower[left], lr = lower[right];
  const float wa = tx.weight[x], wb = tx.weight[tx.pitch + x];
  return make_float2(wa * (wu * ul.x + wl * ll.x) + wb * (wu * ur.x + wl * lr.x),
                     wa * (wu * ul.y + wl * ll.y) + wb * (wu * ur.y + wl * lr.y));
}

__device__ inline float2 starting_flow(const IterateArguments& a, const FlowDirection& d, int x, int y) {
  if (d.source == FlowSource::zero) return make_float2(0, 0);
  if (d.source == FlowSource::coarser) return coarser_flow(a, d.from, x, y);
  return d.from.data[y * d.from.pitch + x];
}

struct Coefficients {
  float bx, by, axx, ayy, axy;
};

__device__ inline float lerp2(float a, float b, float c, float d, float u, float v) {
  const float above = fmaf(u, b - a, a), below = fmaf(u, d - c, c);
  return fmaf(v, below - above, above);
}

__device__ inline Coefficients interpolate(const ExpansionView& e, int width, float px, float py) {
  const int x = static_cast<int>(px), y = static_cast<int>(py);
  const float u = px - static_cast<float>(x), v = py - static_cast<float>(y);
  const size_t at = static_cast<size_t>(y) * width + x;
  const float4 a = __ldg(e.four + at), b = __ldg(e.four + at + 1);
  const float4 c = __ldg(e.four + at + width), d = __ldg(e.four + at + width + 1);
  const float fifth = lerp2(__ldg(e.fifth + at), __ldg(e.fifth + at + 1), __ldg(e.fifth + at + width),
                            __ldg(e.fifth + at + width + 1), u, v);
  return {lerp2(a.x, b.x, c.x, d.x, u, v), lerp2(a.y, b.y, c.y, d.y, u, v), lerp2(a.z, b.z, c.z, d.z, u, v),
          lerp2(a.w, b.w, c.w, d.w, u, v), fifth};
}

// The five numbers of one pixel's equations; `four` and `fifth` are the earlier picture's expansion there.
struct Equations {
  float v[5];
};
__device__ inline Equations equations_at(const IterateArguments& a, const ExpansionView& later_view, int x,
                                         int y, float2 flow, float4 four, float fifth, float weight) {
  float bx = 0.5f * four.x, by = 0.5f * four.y, axx = four.z, ayy = four.w, axy = 0.5f * fifth;
  const float px = static_cast<float>(x) + flow.x, py = static_cast<float>(y) + flow.y;
  if (px >= 0 && py >= 0 && px < static_cast<float>(a.width - 1) && py < static_cast<float>(a.height - 1)) {
    const Coefficients later = interpolate(later_view, a.width, px, py);
    bx = 0.5f * (four.x - later.bx);
    by = 0.5f * (four.y - later.by);
    axx = 0.5f * (four.z + later.axx);
    ayy = 0.5f * (four.w + later.ayy);
    axy = 0.25f * (fifth + later.axy);
  }
  const float ux = fmaf(axx, flow.x, fmaf(axy, flow.y, bx)), uy = fmaf(axy, flow.x, fmaf(ayy, flow.y, by));
  const float squared = weight * weight, axy2 = axy * axy;
  return {{squared * fmaf(axx, axx, axy2), squared * axy * (axx + ayy), squared * fmaf(ayy, ayy, axy2),
           squared * fmaf(axx, ux, axy * uy), squared * fmaf(axy, ux, ayy * uy)}};
}

__device__ inline float2 solution(const float (&g)[5]) {
  const float determinant = fmaxf(product_difference(g[0], g[2], g[1], g[1]), 0.0f);
  const float inverse = 1.0f / (determinant + static_cast<float>(FlowPlan::kRegularisation));
  return make_float2(product_difference(g[2], g[3], g[1], g[4]) * inverse,
                     product_difference(g[0], g[4], g[1], g[3]) * inverse);
}

}  // namespace vantage::gpu::flow_detail

namespace vantage::gpu {

// A picture's expansions at all levels, three launches: blur and resample along y, along x, expand.

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
