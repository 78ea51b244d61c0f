// Parts that the kernels of non-maximum suppression share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/primitives/nms_rule.h"

namespace vantage::gpu::nms {

using vantage::nms::area_of;
using vantage::nms::Corners;
using vantage::nms::corners_of;
using vantage::nms::descending_key;
using vantage::nms::is_valid;
using vantage::nms::overlaps;

inline constexpr uint32_t kInvalidKey = 0xffffffffu;

__device__ inline Detection load_box(const Detection* boxes, int i) {
  const auto* pairs = reinterpret_cast<const float2*>(boxes + i);
  const float2 place = pairs[0], size = pairs[1], rest = pairs[2];
  return {place.x, place.y, size.x, size.y, rest.x, __float_as_int(rest.y)};
}

// Boxes in the order of their keys, equal keys by index; a box that is not valid comes last.
__device__ inline uint32_t key_of(const Detection& d) {
  return is_valid(d) ? descending_key(__float_as_uint(d.score)) : kInvalidKey;
}

// The published rule: does `other` suppress `own`? Only a box with a higher score does.
__device__ inline bool suppresses(const Detection& own, const Detection& other, const NmsRule& rule) {
  if (!(own.score < other.score) || !is_valid(other)) return false;
  if (rule.per_class && own.class_id != other.class_id) return false;
  const Corners a = corners_of(own), b = corners_of(other);
  return overlaps(rule, a, area_of(a, rule.pixel), b, area_of(b, rule.pixel));
}

__host__ __device__ inline size_t rounded_up(size_t bytes) {
  return (bytes + 255) / 256 * 256;
}

}  // namespace vantage::gpu::nms
