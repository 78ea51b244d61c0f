// The iterations: update of the equations, window and solution fused. A block works on a core of pixels and a
// margin around it, which shrinks by the window's radius with every iteration in the launch; nothing but the
// flow leaves shared memory.
#pragma once

#include "core/optical_flow/flow_confidence.h"
#include "gpu/optical_flow/flow_arguments.h"
#include "gpu/runtime/overlap.cuh"

namespace vantage::gpu {

inline constexpr int kIterateThreads = 512;

namespace flow_detail {

// Walks a rectangle of `width` columns with a block's threads, row by row, without a division a step.
struct Walk {
  int x, y, width, step_x, step_y;
  __device__ explicit Walk(int columns)
      : x(static_cast<int>(threadIdx.x) % columns),
        y(static_cast<int>(threadIdx.x) / columns),
        width(columns),
        step_x(kIterateThreads % columns),
        step_y(kIterateThreads / columns) {}
  __device__ void next() {
    x += step_x;
    y += step_y;
    if (x >= width) x -= width, ++y;
  }
};

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

// Of the window along one axis; `at(k)` is the value k pixels away.
template <int kRadius, typename At>
__device__ inline float window_sum(const WindowWeights& w, const At& at) {
  // Uniform weights are 1 here, the scale is applied once at the end.
  float sum = w.uniform ? at(0) : w.weight[0] * at(0);
  const int radius = kRadius > 0 ? kRadius : w.radius;
#pragma unroll
  for (int k = 1; k <= radius; ++k) {
    const float pair = at(-k) + at(k);
    sum = w.uniform ? sum + pair : fmaf(w.weight[k], pair, sum);
  }
  return sum;
}

}  // namespace flow_detail

// kRadius: the window's, or 0 for any. Shared memory: per pixel of core and margin 10 floats, and 2 more when
// there are several iterations.
template <int kRadius>
__global__ void __launch_bounds__(kIterateThreads) flow_iterate(const __grid_constant__ IterateArguments a) {
  using namespace flow_detail;
  extern __shared__ float shared[];
  const int radius = kRadius > 0 ? kRadius : a.window.radius;
  const int margin = radius * a.iterations;
  const int width = a.core_width + 2 * margin, height = a.core_height + 2 * margin, plane = width * height;
  float* const equations = shared;
  float* const columns = shared + 5 * plane;
  float2* const flow = reinterpret_cast<float2*>(shared + 10 * plane);
  // Picture position of the shared memory's first pixel.
  const int x0 = static_cast<int>(blockIdx.x) * a.core_width - margin;
  const int y0 = static_cast<int>(blockIdx.y) * a.core_height - margin;
  const FlowDirection& way = a.directions[blockIdx.z];
  wait_for_previous();
  let_next_come();
  const float scale = a.window.uniform ? a.window.weight[0] * a.window.weight[0] : 1.0f;

  for (int t = 0; t < a.iterations; ++t) {
    const int outer = t * radius, inner = outer + radius;
    for (Walk i(width - 2 * outer); i.y < height - 2 * outer; i.next()) {
      const int sx = i.x + outer, sy = i.y + outer, x = x0 + sx, y = y0 + sy;
      if (x < 0 || y < 0 || x >= a.width || y >= a.height) continue;
      const float2 d = t == 0 ? starting_flow(a, way, x, y) : flow[sy * width + sx];
      const size_t at = static_cast<size_t>(y) * a.width + x;
      const Equations e =
          equations_at(a, way.later, x, y, d, __ldg(way.earlier.four + at), __ldg(way.earlier.fifth + at),
                       axis_weight(x, a.width) * axis_weight(y, a.height));
#pragma unroll
      for (int c = 0; c < 5; ++c) equations[c * plane + sy * width + sx] = e.v[c];
    }
    __syncthreads();
    for (Walk i(width - 2 * outer); i.y < height - 2 * inner; i.next()) {
      const int sx = i.x + outer, sy = i.y + inner, y = y0 + sy;
      if (x0 + sx < 0 || x0 + sx >= a.width || y < 0 || y >= a.height) continue;
      // Rows outside the picture repeat its edge.
      const auto offset = [&](int k) { return (min(max(y + k, 0), a.height - 1) - y0) * width + sx; };
#pragma unroll
      for (int c = 0; c < 5; ++c)
        columns[c * plane + sy * width + sx] =
            window_sum<kRadius>(a.window, [&](int k) { return equations[c * plane + offset(k)]; });
    }
    __syncthreads();
    for (Walk i(width - 2 * inner); i.y < height - 2 * inner; i.next()) {
      const int sx = i.x + inner, sy = i.y + inner, x = x0 + sx, y = y0 + sy;
      if (x < 0 || y < 0 || x >= a.width || y >= a.height) continue;
      const auto offset = [&](int k) { return sy * width + min(max(x + k, 0), a.width - 1) - x0; };
      float g[5];
#pragma unroll
      for (int c = 0; c < 5; ++c)
        g[c] = scale * window_sum<kRadius>(a.window, [&](int k) { return columns[c * plane + offset(k)]; });
      const float2 d = solution(g);
      if (t + 1 == a.iterations)
        way.to.data[y * way.to.pitch + x] = d;
      else
        flow[sy * width + sx] = d;
    }
    __syncthreads();
  }
}

// A full-size flow averaged over the pixels that each pixel of the coarsest level covers; one warp a pixel.
__global__ void flow_initial(const __grid_constant__ InitialArguments a) {
  const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (warp >= a.width * a.height) return;
  const int x = warp % a.width, y = warp / a.width;
  float2 sum = make_float2(0, 0);
  for (int j = 0; j < a.y.taps; ++j) {
    const float2* row = a.from.data + a.y.index[j * a.y.pitch + y] * a.from.pitch;
    const float weight_y = a.y.weight[j * a.y.pitch + y];
    for (int i = lane; i < a.x.taps; i += 32) {
      const float2 d = row[a.x.index[i * a.x.pitch + x]];
      const float weight = weight_y * a.x.weight[i * a.x.pitch + x];
      // Unknown components count as zero (is_known_flow()).
      sum.x = fmaf(weight, d.x > -1e9f && d.x < 1e9f ? d.x : 0.0f, sum.x);
      sum.y = fmaf(weight, d.y > -1e9f && d.y < 1e9f ? d.y : 0.0f, sum.y);
    }
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum.x += __shfl_down_sync(0xffffffffu, sum.x, distance);
    sum.y += __shfl_down_sync(0xffffffffu, sum.y, distance);
  }
  if (lane == 0) a.to.data[y * a.to.pitch + x] = make_float2(a.gain * sum.x, a.gain * sum.y);
}

// Confidence from the flow back, then the mask.
__global__ void flow_finish(const __grid_constant__ FinishArguments a) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), y = static_cast<int>(blockIdx.y);
  if (x >= a.width) return;
  float2& d = a.flow.data[y * a.flow.pitch + x];
  if (a.back.data)
    a.confidence.at(x, y) = flow_confidence(d.x, d.y, x, y, a.width, a.height, [&](int at_x, int at_y) {
      const float2 b = a.back.data[at_y * a.back.pitch + at_x];
      return FlowVector{b.x, b.y};
    });
  if (a.mask.data && a.mask.at(x, y) == 0) d = make_float2(kUnknownFlow, kUnknownFlow);
}

}  // namespace vantage::gpu
