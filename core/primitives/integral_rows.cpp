#include "core/primitives/integral_rows.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/primitives/integral_rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vantage::integral {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows are written side by side, which the hardware does not foresee: without this each line of the cache is
// waited for (a quarter to a third of the time of a picture that fits the second-level cache). Writing past
// the cache instead is slower.
template <typename Out>
HWY_INLINE void prefetch_for_write(const Out* out) {
  constexpr size_t kAhead_bytes = 128;
  __builtin_prefetch(out + kAhead_bytes / sizeof(Out), 1);
}

// Stores sums of 32 bits as they are, or rounded once to float: below 2^31 as signed numbers; else both
// halves are exact and only their sum rounds.
template <bool kSigned, class D, class V>
HWY_INLINE void store_sum(D d, V sum, uint32_t* out) {
  hn::StoreU(sum, d, out);
}
template <bool kSigned, class D, class V>
HWY_INLINE void store_sum(D d, V sum, float* out) {
  const hn::Rebind<int32_t, D> di;
  const hn::Rebind<float, D> df;
  auto rounded = hn::ConvertTo(df, hn::BitCast(di, sum));
  if constexpr (!kSigned) {
    const auto high = hn::ConvertTo(df, hn::BitCast(di, hn::ShiftRight<16>(sum)));
    const auto low = hn::ConvertTo(df, hn::BitCast(di, hn::And(sum, hn::Set(d, 0xffff))));
    rounded = hn::Add(hn::Mul(high, hn::Set(df, 65536.0f)), low);
  }
  hn::StoreU(rounded, df, out);
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

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

// Sums of 16 bytes of a row on top of `carry`, the sum to their left, in two vectors of 8: each lane has the
// bytes of its half that it adds up multiplied by 1 and the others by 0 (Highway has no such product). So the
// bytes are spread over the lanes as they are loaded, and nothing is moved between lanes but the carry.
class BytePrefix {
 public:
  static constexpr int kColumns = 16;
  using D = hn::FixedTag<uint32_t, 8>;
  using V = hn::Vec<D>;

  BytePrefix() {
    HWY_ALIGN const uint32_t last[8] = {7, 7, 7, 7, 7, 7, 7, 7};
    last_ = hn::SetTableIndices(D(), last);
  }
  HWY_INLINE void operator()(const uint8_t* from, V& carry, V& left, V& right) const {
    const V first = eight(from);
    const V both = hn::Add(eight(from + 8), hn::TableLookupLanes(first, last_));
    left = hn::Add(first, carry);
    right = hn::Add(both, carry);
    carry = hn::TableLookupLanes(right, last_);
  }

 private:
  HWY_INLINE V eight(const uint8_t* from) const {
    int32_t first, second;
    std::memcpy(&first, from, 4);
    std::memcpy(&second, from + 4, 4);
    const __m256i in_first =
        _mm256_setr_epi32(1, 0x0101, 0x010101, 0x01010101, 0x01010101, 0x01010101, 0x01010101, 0x01010101);
    const __m256i in_second = _mm256_setr_epi32(0, 0, 0, 0, 1, 0x0101, 0x010101, 0x01010101);
    // In each lane two sums of 16 bits, at most 4 * 255; then of both.
    const __m256i pairs = _mm256_add_epi16(_mm256_maddubs_epi16(_mm256_set1_epi32(first), in_first),
                                           _mm256_maddubs_epi16(_mm256_set1_epi32(second), in_second));
    return V{_mm256_madd_epi16(pairs, _mm256_set1_epi16(1))};
  }
  decltype(hn::SetTableIndices(D(), static_cast<const uint32_t*>(nullptr))) last_;
};

#else

// The same for narrow vectors, in two halves of whatever length they have.
class BytePrefix {
 public:
  using D = hn::ScalableTag<uint32_t>;
  using V = hn::Vec<D>;
  static constexpr int kColumns = 2 * HWY_LANES(uint32_t);

  HWY_INLINE void operator()(const uint8_t* from, V& carry, V& left, V& right) const {
    left = half(from, carry);
    right = half(from + kColumns / 2, carry);
  }

 private:
  HWY_INLINE V half(const uint8_t* from, V& carry) const {
    const D d;
    HWY_ALIGN uint32_t sums[kColumns / 2];
    uint32_t sum = hn::GetLane(carry);
    for (int i = 0; i < kColumns / 2; ++i) sums[i] = sum += from[i];
    carry = hn::Set(d, sum);
    return hn::Load(d, sums);
  }
};

#endif

// Whole vectors; returns where they end. Everything the loop uses is in registers.
template <bool kSigned, int kRows, typename Out>
int byte_vectors(RowStep<uint8_t, Out, uint32_t>& step, int row) {
  const BytePrefix::D d;
  const BytePrefix prefix;
  constexpr int kColumns = BytePrefix::kColumns, kHalf = kColumns / 2;
  // Rows beyond kRows repeat the last one and are not used.
  const uint8_t* in[kRowsPerStep];
  Out* out[kRowsPerStep];
  for (int r = 0; r < kRowsPerStep; ++r) {
    in[r] = step.in[row + (r < kRows ? r : kRows - 1)];
    out[r] = step.out[row + (r < kRows ? r : kRows - 1)];
  }
  uint32_t* const above = step.above;
  auto carry0 = hn::Set(d, step.carry[row]), carry1 = carry0, carry2 = carry0, carry3 = carry0;
  if constexpr (kRows == 4) {
    carry1 = hn::Set(d, step.carry[row + 1]);
    carry2 = hn::Set(d, step.carry[row + 2]);
    carry3 = hn::Set(d, step.carry[row + 3]);
  }
  int x = 0;
  for (; x + kColumns <= step.width; x += kColumns) {
    auto left_sum = hn::LoadU(d, above + x), right_sum = hn::LoadU(d, above + x + kHalf);
    const auto add_row = [&](const uint8_t* from, Out* to, BytePrefix::V& carry) HWY_ATTR {
      BytePrefix::V left, right;
      prefetch_for_write(to + x);
      prefix(from + x, carry, left, right);
      left_sum = hn::Add(left_sum, left);
      right_sum = hn::Add(right_sum, right);
      store_sum<kSigned>(d, left_sum, to + x);
      store_sum<kSigned>(d, right_sum, to + x + kHalf);
    };
    add_row(in[0], out[0], carry0);
    if constexpr (kRows == 4) {
      add_row(in[1], out[1], carry1);
      add_row(in[2], out[2], carry2);
      add_row(in[3], out[3], carry3);
    }
    hn::StoreU(left_sum, d, above + x);
    hn::StoreU(right_sum, d, above + x + kHalf);
  }
  step.carry[row] = hn::GetLane(carry0);
  if constexpr (kRows == 4) {
    step.carry[row + 1] = hn::GetLane(carry1);
    step.carry[row + 2] = hn::GetLane(carry2);
    step.carry[row + 3] = hn::GetLane(carry3);
  }
  return x;
}

template <bool kSigned, int kRows, typename Out>
void byte_rows(RowStep<uint8_t, Out, uint32_t>& step, int row) {
  const int x = byte_vectors<kSigned, kRows>(step, row);
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
  hn::Vec<decltype(d)> carry[kRows];
  for (int r = 0; r < kRows; ++r) carry[r] = hn::Set(d, step.carry[row + r]);
  int x = 0;
  for (; x + kGroup <= step.width; x += kGroup) {
    auto sum = hn::LoadU(d, step.above + x);
    for (int r = 0; r < kRows; ++r) {
      prefetch_for_write(step.out[row + r] + x);
      const auto in_row = hn::Add(group_prefix(d, hn::LoadU(d, step.in[row + r] + x)), carry[r]);
      carry[r] = hn::Broadcast<kGroup - 1>(in_row);
      sum = hn::Add(sum, in_row);
      hn::StoreU(sum, d, step.out[row + r] + x);
    }
    hn::StoreU(sum, d, step.above + x);
  }
  for (int r = 0; r < kRows; ++r) step.carry[row + r] = hn::GetLane(carry[r]);
  scalar_columns<kRows>(step, row, x, step.width);
}

#endif

template <bool kSigned, typename Out>
void byte_step(RowStep<uint8_t, Out, uint32_t>& step) {
  if (step.rows == kRowsPerStep) return byte_rows<kSigned, kRowsPerStep>(step, 0);
  for (int r = 0; r < step.rows; ++r) byte_rows<kSigned, 1>(step, r);
}

void RowsU8U32(RowStep<uint8_t, uint32_t, uint32_t>& step) {
  byte_step<false>(step);
}
void RowsU8F32(RowStep<uint8_t, float, uint32_t>& step) {
  if (step.below_2_31) return byte_step<true>(step);
  byte_step<false>(step);
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
