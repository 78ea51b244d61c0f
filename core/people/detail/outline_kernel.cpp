#include "core/people/detail/outline_kernel.h"

#include <algorithm>
#include <bit>

#include "core/base/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/people/detail/outline_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vantage::people_detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, kDrawnAtOnce>;
using Ints = hn::Rebind<int32_t, Doubles>;
using Indices = hn::Rebind<int64_t, Doubles>;

// floor() of what is above -kFloorBias, by a conversion that cuts off: so much above it.
constexpr int kFloorBias = 1 << 20;
HWY_INLINE hn::Vec<Ints> biased_floor(hn::Vec<Doubles> value) {
  return hn::DemoteTo(Ints(), hn::Add(value, hn::Set(Doubles(), double{kFloorBias})));
}

int draw_outline(const OutlineSegment* segments, int count, int row, Run* runs) {
  const Doubles d;
  const Ints ints;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto unbias = hn::Set(ints, 1 - kFloorBias), one = hn::Set(ints, 1);
  const auto low_half = hn::Set(ints, 0xFFFF), last_slice = hn::Set(ints, kSlices - 1);
  auto area = hn::Zero(ints);
  for (const OutlineSegment* s = segments; s != segments + count; ++s) {
    const auto at = [&](double first, double step, hn::Vec<Doubles> down)
                        HWY_ATTR { return hn::Add(hn::Set(d, first), hn::Mul(down, hn::Set(d, step))); };
    for (int at_row = row; at_row < s->end; at_row += lanes) {
      const auto down = hn::Sub(hn::Iota(d, static_cast<double>(at_row)), hn::Set(d, s->top_row));
      const auto slice = hn::DemoteTo(ints, at(s->slice, s->slice_step, down));
      const auto width =
          hn::GatherIndex(d, kHalfWidth.data(),
                          hn::PromoteTo(Indices(), hn::Min(hn::Max(slice, hn::Zero(ints)), last_slice)));
      const auto middle = at(s->column, s->column_step, down);
      const auto half = hn::Mul(width, at(s->scale, s->scale_step, down));
      const auto begin = hn::Add(biased_floor(hn::Sub(middle, half)), unbias);
      const auto end = hn::Max(hn::Add(begin, one), hn::Add(biased_floor(hn::Add(middle, half)), unbias));
      area = hn::Add(area, hn::IfThenElseZero(hn::FirstN(ints, static_cast<size_t>(s->end - at_row)),
                                              hn::Sub(end, begin)));
      hn::StoreU(hn::Or(hn::And(begin, low_half), hn::ShiftLeft<16>(end)), ints,
                 reinterpret_cast<int32_t*>(runs + (at_row - row)));
    }
    runs += std::max(0, s->end - row);
    row = std::max(row, s->end);
  }
  return hn::GetLane(hn::SumOfLanes(ints, area));
}

int cut_runs(Run* runs, int rows, int width) {
  const hn::ScalableTag<int32_t> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto zero = hn::Zero(d), right = hn::Set(d, width), low_half = hn::Set(d, 0xFFFF);
  const auto cut = [&](auto v) HWY_ATTR { return hn::Min(hn::Max(v, zero), right); };
  auto areas = zero;
  int r = 0;
  for (; r + lanes <= rows; r += lanes) {
    auto* const packed = reinterpret_cast<int32_t*>(runs + r);
    const auto run = hn::LoadU(d, packed);
    const auto begin = cut(hn::ShiftRight<16>(hn::ShiftLeft<16>(run))), end = cut(hn::ShiftRight<16>(run));
    areas = hn::Add(areas, hn::Sub(end, begin));
    hn::StoreU(hn::Or(hn::And(begin, low_half), hn::ShiftLeft<16>(end)), d, packed);
  }
  int inside = hn::GetLane(hn::SumOfLanes(d, areas));
  for (; r < rows; ++r) {
    runs[r].begin = static_cast<int16_t>(std::clamp<int>(runs[r].begin, 0, width));
    runs[r].end = static_cast<int16_t>(std::clamp<int>(runs[r].end, 0, width));
    inside += runs[r].end - runs[r].begin;
  }
  return inside;
}

}  // namespace vantage::people_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::people_detail::kernel {

// A run is read and written as one number.
static_assert(std::endian::native == std::endian::little && sizeof(Run) == sizeof(int32_t));

HWY_EXPORT(draw_outline);
HWY_EXPORT(cut_runs);

int draw_outline(const OutlineSegment* segments, int count, int row, Run* runs) {
  return HWY_DYNAMIC_DISPATCH(draw_outline)(segments, count, row, runs);
}

int cut_runs(Run* runs, int rows, int width) {
  return HWY_DYNAMIC_DISPATCH(cut_runs)(runs, rows, width);
}

}  // namespace vantage::people_detail::kernel
#endif
