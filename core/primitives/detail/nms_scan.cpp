#include "core/primitives/detail/nms_scan.h"

#include <limits>

#include "core/base/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/primitives/detail/nms_scan.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vantage::nms {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The operations of nms::overlaps(), lane by lane and in its order.
template <NmsOverlap kOverlap, class D>
HWY_INLINE hn::Vec<D> denominators(D, hn::Vec<D> intersection, hn::Vec<D> own, hn::Vec<D> other) {
  if constexpr (kOverlap == NmsOverlap::own) {
    return own;
  } else if constexpr (kOverlap == NmsOverlap::other) {
    return other;
  } else if constexpr (kOverlap == NmsOverlap::smaller) {
    return hn::Min(own, other);
  } else {
    return hn::Sub(hn::Add(own, other), intersection);
  }
}

template <NmsOverlap kOverlap, bool kOnlyBetter>
bool any_of(const BoxArrays& boxes, const Candidate& c, const NmsRule& rule) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<int32_t, decltype(d)> di;
  const auto x1 = hn::Set(d, c.corners.x1), y1 = hn::Set(d, c.corners.y1);
  const auto x2 = hn::Set(d, c.corners.x2), y2 = hn::Set(d, c.corners.y2);
  const auto area = hn::Set(d, c.area), pixel = hn::Set(d, rule.pixel);
  const auto threshold = hn::Set(d, rule.threshold), zero = hn::Zero(d);
  const auto score = hn::Set(d, c.score);
  const auto class_id = hn::Set(di, c.class_id);
  for (size_t i = 0; i < boxes.size(); i += hn::Lanes(d)) {
    const auto w = hn::Add(
        hn::Sub(hn::Min(x2, hn::LoadU(d, boxes.x2() + i)), hn::Max(x1, hn::LoadU(d, boxes.x1() + i))), pixel);
    const auto h = hn::Add(
        hn::Sub(hn::Min(y2, hn::LoadU(d, boxes.y2() + i)), hn::Max(y1, hn::LoadU(d, boxes.y1() + i))), pixel);
    const auto meets = hn::And(hn::Gt(w, zero), hn::Gt(h, zero));
    if (hn::AllFalse(d, meets)) continue;
    const auto intersection = hn::Mul(w, h);
    const auto limit =
        hn::Mul(threshold, denominators<kOverlap>(d, intersection, area, hn::LoadU(d, boxes.area() + i)));
    auto hit = rule.inclusive ? hn::Ge(intersection, limit) : hn::Gt(intersection, limit);
    hit = hn::And(hn::And(hit, meets), hn::Gt(intersection, zero));
    if constexpr (kOnlyBetter) hit = hn::And(hit, hn::Gt(hn::LoadU(d, boxes.score() + i), score));
    if (rule.per_class)
      hit = hn::And(hit, hn::RebindMask(d, hn::Eq(hn::LoadU(di, boxes.class_id() + i), class_id)));
    if (!hn::AllFalse(d, hit)) return true;
  }
  return false;
}

template <bool kOnlyBetter>
bool any_by_overlap(const BoxArrays& boxes, const Candidate& candidate, const NmsRule& rule) {
  switch (rule.overlap) {
    case NmsOverlap::own:
      return any_of<NmsOverlap::own, kOnlyBetter>(boxes, candidate, rule);
    case NmsOverlap::other:
      return any_of<NmsOverlap::other, kOnlyBetter>(boxes, candidate, rule);
    case NmsOverlap::smaller:
      return any_of<NmsOverlap::smaller, kOnlyBetter>(boxes, candidate, rule);
    default:
      return any_of<NmsOverlap::iou, kOnlyBetter>(boxes, candidate, rule);
  }
}

bool AnySuppresses(const BoxArrays& boxes, const Candidate& candidate, const NmsRule& rule,
                   bool only_better) {
  return only_better ? any_by_overlap<true>(boxes, candidate, rule)
                     : any_by_overlap<false>(boxes, candidate, rule);
}

}  // namespace HWY_NAMESPACE
}  // namespace vantage::nms
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::nms {
HWY_EXPORT(AnySuppresses);

bool any_suppresses(const BoxArrays& boxes, const Candidate& candidate, const NmsRule& rule,
                    bool only_better) {
  return HWY_DYNAMIC_DISPATCH(AnySuppresses)(boxes, candidate, rule, only_better);
}

BoxArrays::BoxArrays(size_t capacity)
    : stride_(capacity + kPadding), numbers_(6 * stride_, 0.0f), classes_(stride_, 0) {
  // Boxes turned inside out.
  constexpr float kFar = 2 * kLargestCoordinate;
  for (size_t i = 0; i < stride_; ++i) {
    numbers_[i] = numbers_[stride_ + i] = kFar;
    numbers_[2 * stride_ + i] = numbers_[3 * stride_ + i] = -kFar;
  }
}

void BoxArrays::push_back(const Corners& corners, float area, float score, int32_t class_id) {
  const float values[] = {corners.x1, corners.y1, corners.x2, corners.y2, area, score};
  for (size_t k = 0; k < 6; ++k) numbers_[k * stride_ + size_] = values[k];
  classes_[size_++] = class_id;
}

}  // namespace vantage::nms
#endif  // HWY_ONCE
