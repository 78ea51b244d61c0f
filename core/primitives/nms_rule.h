// The arithmetic of non-maximum suppression, shared by the CPU and the CUDA implementations: the same float
// operations in the same order, never fused, so that both decide alike on every input. Plain data and
// functions: .cu files include this header.
#pragma once

#include <cstdint>

#include "core/geometry/projection.h"

namespace vantage {

// A box with its top-left corner, size, score and class, as a detector gives it.
struct Detection {
  float x = 0, y = 0, w = 0, h = 0;
  float score = 0;
  int32_t class_id = 0;
};

// A(i and j) over: the area of both together, the area of i (the one to be suppressed), the area of j (its
// suppressor), or the smaller of the two.
enum class NmsOverlap : uint8_t { iou, own, other, smaller };

struct NmsRule {
  NmsOverlap overlap = NmsOverlap::iou;
  float threshold = 0.5f;
  bool inclusive = false;  // suppress at the threshold as well, not only above
  bool per_class = true;   // only boxes of one class suppress each other
  float pixel = 0;         // 1: a box covers the pixels x to x + w inclusive; 0: the interval [x, x + w]
};

namespace nms {

inline constexpr float kLargestCoordinate = 1e15f;

#ifdef __CUDA_ARCH__
VANTAGE_HD float product(float a, float b) {
  return __fmul_rn(a, b);
}
VANTAGE_HD float sum(float a, float b) {
  return __fadd_rn(a, b);
}
#else
VANTAGE_HD float product(float a, float b) {
  return a * b;
}
VANTAGE_HD float sum(float a, float b) {
  return a + b;
}
#endif
VANTAGE_HD float lesser(float a, float b) {
  return b < a ? b : a;
}
VANTAGE_HD float greater(float a, float b) {
  return b > a ? b : a;
}

struct Corners {
  float x1, y1, x2, y2;
};

VANTAGE_HD Corners corners_of(const Detection& d) {
  return {d.x, d.y, sum(d.x, d.w), sum(d.y, d.h)};
}

// False for what is no detection: NaN anywhere, a negative size, a corner outside +-1e15.
VANTAGE_HD bool is_valid(const Detection& d) {
  const Corners c = corners_of(d);
  return d.w >= 0 && d.h >= 0 && c.x1 >= -kLargestCoordinate && c.y1 >= -kLargestCoordinate &&
         c.x2 <= kLargestCoordinate && c.y2 <= kLargestCoordinate && d.score == d.score;
}

VANTAGE_HD float area_of(const Corners& c, float pixel) {
  return product(sum(sum(c.x2, -c.x1), pixel), sum(sum(c.y2, -c.y1), pixel));
}

// The area that the overlap is measured by; the intersection can be 0.
VANTAGE_HD float denominator(NmsOverlap overlap, float intersection, float own_area, float other_area) {
  switch (overlap) {
    case NmsOverlap::own:
      return own_area;
    case NmsOverlap::other:
      return other_area;
    case NmsOverlap::smaller:
      return lesser(own_area, other_area);
    default:
      return sum(sum(own_area, other_area), -intersection);
  }
}

VANTAGE_HD float intersection_of(const Corners& a, const Corners& b, float pixel) {
  const float w = sum(sum(lesser(a.x2, b.x2), -greater(a.x1, b.x1)), pixel);
  const float h = sum(sum(lesser(a.y2, b.y2), -greater(a.y1, b.y1)), pixel);
  return w > 0 && h > 0 ? product(w, h) : 0.0f;
}

// Do the boxes overlap enough for `other` to suppress `own`? Boxes that do not intersect never do, whatever
// the threshold.
VANTAGE_HD bool overlaps(const NmsRule& rule, const Corners& own, float own_area, const Corners& other,
                         float other_area) {
  const float intersection = intersection_of(own, other, rule.pixel);
  if (!(intersection > 0)) return false;
  const float limit = product(rule.threshold, denominator(rule.overlap, intersection, own_area, other_area));
  return rule.inclusive ? intersection >= limit : intersection > limit;
}

// The overlap as a number, for Soft-NMS.
VANTAGE_HD float overlap_ratio(const NmsRule& rule, const Corners& own, float own_area, const Corners& other,
                               float other_area) {
  const float intersection = intersection_of(own, other, rule.pixel);
  return intersection > 0 ? intersection / denominator(rule.overlap, intersection, own_area, other_area) : 0;
}

// Ascending in this order is descending in score (-0 counts as 0); never 0xffffffff for a valid score.
VANTAGE_HD uint32_t descending_key(uint32_t score_bits) {
  if (score_bits == 0x80000000u) score_bits = 0;
  const uint32_t ascending = score_bits & 0x80000000u ? ~score_bits : score_bits | 0x80000000u;
  return ~ascending;
}

}  // namespace nms
}  // namespace vantage
