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
