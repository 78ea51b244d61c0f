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

// One iteration for narrow windows. A block works on a tile 64 pixels wide, core and margin. Along the
// columns a thread sums the windows of a run of rows, along the rows those of four pixels side by side, so
// that each number is read from shared memory about twice and not once for every window that it is in.

template <int kRadius, int kCoreRows>
struct NarrowTile {
  static constexpr int kThreads = 256, kWidth = 64, kCoreWidth = kWidth - 2 * kRadius;
  static constexpr int kRows = kCoreRows + 2 * kRadius;
  static constexpr int kRowsAtOnce = kThreads / kWidth;
  static constexpr int kRounds = kRows / kRowsAtOnce;
  static constexpr int kRun = kCoreRows / kRowsAtOnce;  // rows of a thread in the columns' sums
  static constexpr int kSide = 4;                       // pixels of a thread in the rows' sums
  static constexpr int kGroups = kWidth / kSide;
  static_assert(kRows % kRowsAtOnce == 0 && kCoreRows % kRowsAtOnce == 0 && (2 * kRadius) % kSide == 0);
};

namespace flow_detail {

// sum of weight[|k|] values[k] over the window; values[0] is its first.
template <int kRadius>
__device__ inline float window_of(const WindowWeights& w, const float* values) {
  float sum = w.weight[0] * values[kRadius];
#pragma unroll
  for (int k = 1; k <= kRadius; ++k) sum = fmaf(w.weight[k], values[kRadius - k] + values[kRadius + k], sum);
  return sum;
}

__device__ inline int clamped(int i, int size) {
  return min(max(i, 0), size - 1);
}

}  // namespace flow_detail

// The expansions are read before the kernel before has ended: they must have been complete when that began.
template <int kRadius, int kCoreRows>
__global__ void __launch_bounds__(256, 4) flow_iterate_narrow(const __grid_constant__ IterateArguments a) {
  using namespace flow_detail;
  using T = NarrowTile<kRadius, kCoreRows>;
  __shared__ alignas(16) float sums[5][T::kRows][T::kWidth];
  const int core_x = static_cast<int>(blockIdx.x) * T::kCoreWidth,
            core_y = static_cast<int>(blockIdx.y) * kCoreRows;
  const int x0 = core_x - kRadius, y0 = core_y - kRadius;
  const int sx = static_cast<int>(threadIdx.x) % T::kWidth, part = static_cast<int>(threadIdx.x) / T::kWidth;
  const int x = x0 + sx;
  const bool column_inside = x >= 0 && x < a.width;

  const FlowDirection& way = a.directions[blockIdx.z];
  float4 four[T::kRounds];
  float fifth[T::kRounds];
  float2 flow[T::kRounds];
  const auto inside = [&](int y) { return column_inside && y >= 0 && y < a.height; };
#pragma unroll
  for (int i = 0; i < T::kRounds; ++i) {
    const int y = y0 + part + i * T::kRowsAtOnce;
    if (!inside(y)) continue;
    const size_t at = static_cast<size_t>(y) * a.width + x;
    four[i] = __ldg(way.earlier.four + at);
    fifth[i] = __ldg(way.earlier.fifth + at);
  }
  grid_dependency_sync();
  trigger_dependent_launch();
#pragma unroll
  for (int i = 0; i < T::kRounds; ++i) {
    const int y = y0 + part + i * T::kRowsAtOnce;
    if (inside(y)) flow[i] = starting_flow(a, way, x, y);
  }
  const float weight_x = column_inside ? axis_weight(x, a.width) : 0.0f;
#pragma unroll
  for (int i = 0; i < T::kRounds; ++i) {
    const int sy = part + i * T::kRowsAtOnce, y = y0 + sy;
    if (!inside(y)) continue;
    const Equations e =
        equations_at(a, way.later, x, y, flow[i], four[i], fifth[i], weight_x * axis_weight(y, a.height));
#pragma unroll
    for (int c = 0; c < 5; ++c) sums[c][sy][sx] = e.v[c];
  }
  __syncthreads();

  // Along the columns, in place. What lies outside the picture repeats its edge.
  float column[5][T::kRun];
  {
    const int from_x = clamped(x, a.width) - x0;
    int row[T::kRun + 2 * kRadius];
#pragma unroll
    for (int j = 0; j < T::kRun + 2 * kRadius; ++j) row[j] = clamped(y0 + part * T::kRun + j, a.height) - y0;
#pragma unroll
    for (int c = 0; c < 5; ++c) {
      float values[T::kRun + 2 * kRadius];
#pragma unroll
      for (int j = 0; j < T::kRun + 2 * kRadius; ++j) values[j] = sums[c][row[j]][from_x];
#pragma unroll
      for (int j = 0; j < T::kRun; ++j) column[c][j] = window_of<kRadius>(a.window, values + j);
    }
  }
  __syncthreads();
#pragma unroll
  for (int c = 0; c < 5; ++c)
#pragma unroll
    for (int j = 0; j < T::kRun; ++j) sums[c][part * T::kRun + j][sx] = column[c][j];
  __syncthreads();

  const int group = static_cast<int>(threadIdx.x) % T::kGroups, to_x = core_x + group * T::kSide;
  if (group * T::kSide >= T::kCoreWidth || to_x >= a.width) return;
  for (int row = static_cast<int>(threadIdx.x) / T::kGroups; row < min(kCoreRows, a.height - core_y);
       row += T::kThreads / T::kGroups) {
    float g[T::kSide][5];
#pragma unroll
    for (int c = 0; c < 5; ++c) {
      float values[T::kSide + 2 * kRadius];
#pragma unroll
      for (int j = 0; j < T::kSide + 2 * kRadius; j += 4)
        *reinterpret_cast<float4*>(values + j) =
            *reinterpret_cast<const float4*>(&sums[c][row][group * T::kSide + j]);
#pragma unroll
      for (int j = 0; j < T::kSide; ++j) g[j][c] = window_of<kRadius>(a.window, values + j);
    }
    float2* const to = way.to.data + (core_y + row) * way.to.pitch + to_x;
    const float2 d[T::kSide] = {solution(g[0]), solution(g[1]), solution(g[2]), solution(g[3])};
    if (to_x + T::kSide <= a.width && reinterpret_cast<uintptr_t>(to) % sizeof(float4) == 0) {
      reinterpret_cast<float4*>(to)[0] = make_float4(d[0].x, d[0].y, d[1].x, d[1].y);
      reinterpret_cast<float4*>(to)[1] = make_float4(d[2].x, d[2].y, d[3].x, d[3].y);
    } else {
#pragma unroll
      for (int j = 0; j < T::kSide; ++j)
        if (to_x + j < a.width) to[j] = d[j];
    }
  }
}

}  // namespace vantage::gpu
