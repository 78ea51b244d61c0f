#include "core/primitives/integral_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/primitives/integral_rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vantage::integral {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Inclusive prefix over all lanes by doubling: log2(lanes) moves and additions.
template <class D>
class LanePrefix {
 public:
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;

  explicit LanePrefix(D d) : last_(hn::SetTableIndices(d, indices_of_last(d).lane)) {
    for (int s = 0; s < kSteps; ++s) {
      Lanes from, keep;
      for (size_t i = 0; i < hn::Lanes(d); ++i) {
        const size_t distance = size_t{1} << s;
        from.lane[i] = static_cast<T>(i >= distance ? i - distance : 0);
        keep.lane[i] = i >= distance ? static_cast<T>(~T{0}) : T{0};
      }
      hn::Store(hn::Load(d, from.lane), d, from_[s].lane);
      hn::Store(hn::Load(d, keep.lane), d, keep_[s].lane);
    }
  }
  HWY_INLINE V operator()(D d, V v) const {
    for (size_t s = 0, distance = 1; distance < hn::Lanes(d); ++s, distance *= 2) {
      const V moved = hn::TableLookupLanes(v, hn::SetTableIndices(d, from_[s].lane));
      v = hn::Add(v, hn::And(moved, hn::Load(d, keep_[s].lane)));
    }
    return v;
  }
  HWY_INLINE V broadcast_last(V v) const { return hn::TableLookupLanes(v, last_); }

 private:
  static constexpr int kSteps = 5;
  struct Lanes {
    HWY_ALIGN T lane[HWY_MAX_BYTES / sizeof(T)] = {};
  };
  static Lanes indices_of_last(D d) {
    Lanes lanes;
    for (T& lane : lanes.lane) lane = static_cast<T>(hn::Lanes(d) - 1);
    return lanes;
  }
  Lanes from_[kSteps], keep_[kSteps];
  decltype(hn::SetTableIndices(D(), static_cast<const T*>(nullptr))) last_;
};

// Stores sums of 32 bits as they are, or rounded once to float: both halves are exact, only their sum rounds.
template <class D, class V>
HWY_INLINE void store_sum(D d, V sum, uint32_t* out, bool stream) {
  if (stream) {
    hn::Stream(sum, d, out);
  } else {
    hn::StoreU(sum, d, out);
  }
}
template <class D, class V>
HWY_INLINE void store_sum(D d, V sum, float* out, bool stream) {
  const hn::Rebind<int32_t, D> di;
  const hn::Rebind<float, D> df;
  const auto high = hn::ConvertTo(df, hn::BitCast(di, hn::ShiftRight<16>(sum)));
  const auto low = hn::ConvertTo(df, hn::BitCast(di, hn::And(sum, hn::Set(d, 0xffff))));
  const auto rounded = hn::Add(hn::Mul(high, hn::Set(df, 65536.0f)), low);
  if (stream) {
    hn::Stream(rounded, df, out);
  } else {
    hn::StoreU(rounded, df, out);
  }
}

template <int kRows, class Step>
HWY_INLINE void scalar_columns(Step& step, int row, int begin, int end) {
  for (int x = begin; x < end; ++x) {
    auto sum = step.above[x];
    for (int r = row; r < row + kRows; ++r) {
      step.carry[r] += step.in[r][x];
      sum += step.carry[r];
      using Out = std::remove_reference_t<decltype(*step.out[r])>;
      step.out[r][x] = static_cast<Out>(sum);
    }
    step.above[x] = sum;
  }
}

// Columns to the first place where every row's output is aligned to `bytes`; -1 where there is none.
template <int kRows, class Step>
int columns_to_alignment(const Step& step, int row, size_t bytes) {
  const size_t size = sizeof(*step.out[0]);
  const size_t offset = reinterpret_cast<uintptr_t>(step.out[row]) % bytes;
  for (int r = row + 1; r < row + kRows; ++r)
    if (reinterpret_cast<uintptr_t>(step.out[r]) % bytes != offset) return -1;
  return offset == 0 ? 0 : static_cast<int>((bytes - offset) / size);
}

template <int kRows, typename Out>
void byte_rows(RowStep<uint8_t, Out, uint32_t>& step, int row) {
  const hn::ScalableTag<uint32_t> d;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const LanePrefix<decltype(d)> prefix(d);
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = step.stream ? columns_to_alignment<kRows>(step, row, hn::Lanes(d) * sizeof(uint32_t)) : 0;
  const bool stream = step.stream && x >= 0;
  x = x < 0 ? 0 : x < step.width ? x : step.width;
  scalar_columns<kRows>(step, row, 0, x);
  hn::Vec<decltype(d)> carry[kRows];
  for (int r = 0; r < kRows; ++r) carry[r] = hn::Set(d, step.carry[row + r]);
  for (; x + lanes <= step.width; x += lanes) {
    auto sum = hn::LoadU(d, step.above + x);
    for (int r = 0; r < kRows; ++r) {
      const auto values = hn::PromoteTo(d, hn::LoadU(d8, step.in[row + r] + x));
      const auto in_row = hn::Add(prefix(d, values), carry[r]);
      carry[r] = prefix.broadcast_last(in_row);
      sum = hn::Add(sum, in_row);
      store_sum(d, sum, step.out[row + r] + x, stream);
    }
    hn::StoreU(sum, d, step.above + x);
  }
  for (int r = 0; r < kRows; ++r) step.carry[row + r] = hn::GetLane(carry[r]);
  scalar_columns<kRows>(step, row, x, step.width);
}

#if HWY_TARGET == HWY_SCALAR

// The same additions in the same order as below, one by one.
template <int kRows, typename T>
void real_rows(RowStep<T, T, T>& step, int row) {
  constexpr int kGroup = 16 / sizeof(T);
  int x = 0;
  for (; x + kGroup <= step.width; x += kGroup)
    for (int r = row; r < row + kRows; ++r) {
      const T* in = step.in[r] + x;
      T group[4] = {in[0], in[1] + in[0], 0, 0};
      if constexpr (kGroup == 4) group[2] = (in[2] + in[1]) + in[0], group[3] = (in[3] + in[2]) + group[1];
      for (int k = 0; k < kGroup; ++k)
        step.out[r][x + k] = step.above[x + k] = step.above[x + k] + (group[k] + step.carry[r]);
      step.carry[r] = group[kGroup - 1] + step.carry[r];
    }
  scalar_columns<kRows>(step, row, x, step.width);
}

#else

// Prefix inside a group of 16 bytes by doubling.
template <class D, class V>
HWY_INLINE V group_prefix(D d, V v) {
  v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
  if constexpr (sizeof(hn::TFromD<D>) == 4) v = hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
  return v;
}

template <int kRows, typename T>
void real_rows(RowStep<T, T, T>& step, int row) {
  constexpr int kGroup = 16 / sizeof(T);
  const hn::FixedTag<T, kGroup> d;
  const bool stream = step.stream && columns_to_alignment<kRows>(step, row, 16) == 0;
  hn::Vec<decltype(d)> carry[kRows];
  for (int r = 0; r < kRows; ++r) carry[r] = hn::Set(d, step.carry[row + r]);
  int x = 0;
  for (; x + kGroup <= step.width; x += kGroup) {
    auto sum = hn::LoadU(d, step.above + x);
    for (int r = 0; r < kRows; ++r) {
      const auto in_row = hn::Add(group_prefix(d, hn::LoadU(d, step.in[row + r] + x)), carry[r]);
      carry[r] = hn::Broadcast<kGroup - 1>(in_row);
      sum = hn::Add(sum, in_row);
      if (stream) {
        hn::Stream(sum, d, step.out[row + r] + x);
      } else {
        hn::StoreU(sum, d, step.out[row + r] + x);
      }
    }
    hn::StoreU(sum, d, step.above + x);
  }
  for (int r = 0; r < kRows; ++r) step.carry[row + r] = hn::GetLane(carry[r]);
  scalar_columns<kRows>(step, row, x, step.width);
}

#endif

void RowsU8U32(RowStep<uint8_t, uint32_t, uint32_t>& step) {
  if (step.rows == kRowsPerStep) return byte_rows<kRowsPerStep>(step, 0);
  for (int r = 0; r < step.rows; ++r) byte_rows<1>(step, r);
}
void RowsU8F32(RowStep<uint8_t, float, uint32_t>& step) {
  if (step.rows == kRowsPerStep) return byte_rows<kRowsPerStep>(step, 0);
  for (int r = 0; r < step.rows; ++r) byte_rows<1>(step, r);
}
void RowsF32(RowStep<float, float, float>& step) {
  if (step.rows == kRowsPerStep) return real_rows<kRowsPerStep>(step, 0);
  for (int r = 0; r < step.rows; ++r) real_rows<1>(step, r);
}
void RowsF64(RowStep<double, double, double>& step) {
  if (step.rows == kRowsPerStep) return real_rows<kRowsPerStep>(step, 0);
  for (int r = 0; r < step.rows; ++r) real_rows<1>(step, r);
}

}  // namespace HWY_NAMESPACE
}  // namespace vantage::integral
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::integral {
HWY_EXPORT(RowsU8U32);
HWY_EXPORT(RowsU8F32);
HWY_EXPORT(RowsF32);
HWY_EXPORT(RowsF64);

void add_rows(RowStep<uint8_t, uint32_t, uint32_t>& step) {
  HWY_DYNAMIC_DISPATCH(RowsU8U32)(step);
}
void add_rows(RowStep<uint8_t, float, uint32_t>& step) {
  HWY_DYNAMIC_DISPATCH(RowsU8F32)(step);
}
void add_rows(RowStep<float, float, float>& step) {
  HWY_DYNAMIC_DISPATCH(RowsF32)(step);
}
void add_rows(RowStep<double, double, double>& step) {
  HWY_DYNAMIC_DISPATCH(RowsF64)(step);
}

}  // namespace vantage::integral
#endif  // HWY_ONCE
