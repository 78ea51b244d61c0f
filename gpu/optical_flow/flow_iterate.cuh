// The iterations: update of the equations, window and solution fused. A block works on a core of pixels and a
// margin around it, which shrinks by the window's radius with every iteration in the launch; nothing but the
// flow leaves shared memory.
#pragma once

#include "core/optical_flow/flow_confidence.h"
#include "gpu/optical_flow/flow_arguments.h"
#include "gpu/optical_flow/flow_equations.cuh"
#include "gpu/runtime/dependent_launch.cuh"

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

// Sum over the window along one axis; `at(k)` is the value k pixels away.
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
  grid_dependency_sync();
  trigger_dependent_launch();
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
