// One iteration for narrow windows. A block works on a tile 64 pixels wide, core and margin. Along the
// columns a thread sums the windows of a run of rows, along the rows those of four pixels side by side, so
// that each number is read from shared memory about twice and not once for every window that it is in.
#pragma once

#include "gpu/optical_flow/flow_iterate.cuh"
#include "gpu/runtime/dependent_launch.cuh"

namespace vantage::gpu {

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
