#include "core/primitives/detail/integral_rows.h"

#include <cstring>

#include "core/base/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/primitives/detail/integral_rows.cpp"
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

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

// Adds sums of 8 bytes of a row, each from the first of them on, to those of the rows above: each lane has
// the bytes that it adds up multiplied by 1 and the others by 0 (Highway has no such product). So the bytes
// are spread over the lanes as they are loaded.
class BytePrefix {
 public:
  using D = hn::FixedTag<uint32_t, 8>;
  using V = hn::Vec<D>;

  BytePrefix() {
    HWY_ALIGN const uint32_t last[8] = {7, 7, 7, 7, 7, 7, 7, 7};
    last_ = hn::SetTableIndices(D(), last);
  }
  HWY_INLINE V operator()(V above, const uint8_t* from) const {
    int32_t first, second;
    std::memcpy(&first, from, 4);
    std::memcpy(&second, from + 4, 4);
    const __m256i in_first =
        _mm256_setr_epi32(1, 0x0101, 0x010101, 0x01010101, 0x01010101, 0x01010101, 0x01010101, 0x01010101);
    const __m256i in_second = _mm256_setr_epi32(0, 0, 0, 0, 1, 0x0101, 0x010101, 0x01010101);
    // In each lane two sums of 16 bits, at most 4 * 255; then of both.
    const __m256i pairs = _mm256_add_epi16(_mm256_maddubs_epi16(_mm256_set1_epi32(first), in_first),
                                           _mm256_maddubs_epi16(_mm256_set1_epi32(second), in_second));
    return hn::Add(above, V{_mm256_madd_epi16(pairs, _mm256_set1_epi16(1))});
  }
  HWY_INLINE V last(V v) const { return hn::TableLookupLanes(v, last_); }

 private:
  decltype(hn::SetTableIndices(D(), static_cast<const uint32_t*>(nullptr))) last_;
};

#else

// The same for narrow vectors, of whatever length they have.
class BytePrefix {
 public:
  using D = hn::ScalableTag<uint32_t>;
  using V = hn::Vec<D>;

  HWY_INLINE V operator()(V above, const uint8_t* from) const {
    HWY_ALIGN uint32_t sums[HWY_LANES(uint32_t)];
    uint32_t sum = 0;
    for (size_t i = 0; i < HWY_LANES(uint32_t); ++i) sums[i] = sum += from[i];
    return hn::Add(above, hn::Load(D(), sums));
  }
  HWY_INLINE V last(V v) const {
    HWY_ALIGN uint32_t lanes[HWY_LANES(uint32_t)];
    hn::Store(v, D(), lanes);
    return hn::Set(D(), lanes[HWY_LANES(uint32_t) - 1]);
  }
};

#endif

// Whole pairs of vectors; returns where they end. A vector of sums is what its own columns hold in the rows
// so far, each from the vector's first column on, plus the sum in front of them.
template <bool kSigned, int kRows, typename Out>
int byte_vectors(const RowStep<uint8_t, Out, uint32_t>& step, int row) {
  const BytePrefix::D d;
  const BytePrefix prefix;
  constexpr size_t kLanes = hn::MaxLanes(d), kColumns = 2 * kLanes;
  // In registers: what is stored could be any of the step's members. The loops
  // over rows are written out early, else the arrays go through memory.
  const uint8_t* in[kRows];
  Out* out[kRows];
  BytePrefix::V before[kRows];  // the last lane counts
  HWY_UNROLL(4)
  for (int r = 0; r < kRows; ++r) {
    in[r] = step.in.row(row + r);
    out[r] = step.out.row(row + r);
    before[r] = hn::Set(d, step.carry[row + r]);
  }
  uint32_t* const above = step.above;
  const size_t width = static_cast<size_t>(step.in.width);
  size_t x = 0;
  for (; x + kColumns <= width; x += kColumns) {
    auto first = hn::LoadU(d, above + x), second = hn::LoadU(d, above + x + kLanes);
    HWY_UNROLL(4)
    for (int r = 0; r < kRows; ++r) {
      prefetch_for_write(out[r] + x);
      first = prefix(first, in[r] + x);
      second = prefix(second, in[r] + x + kLanes);
      const auto sum = hn::Add(prefix.last(before[r]), first);
      before[r] = hn::Add(prefix.last(sum), second);
      store_sum<kSigned>(d, sum, out[r] + x);
      store_sum<kSigned>(d, before[r], out[r] + x + kLanes);
    }
    hn::StoreU(first, d, above + x);
    hn::StoreU(second, d, above + x + kLanes);
  }
  HWY_UNROLL(4)
  for (int r = 0; r < kRows; ++r) step.carry[row + r] = hn::GetLane(prefix.last(before[r]));
  return static_cast<int>(x);
}

template <bool kSigned, int kRows, typename Out>
void byte_rows(const RowStep<uint8_t, Out, uint32_t>& step, int row) {
  const int end = byte_vectors<kSigned, kRows>(step, row);
  if (end == step.in.width) return;
  // The rest, shorter than a pair of vectors, is a group of its own.
  for (int y = row; y < row + kRows; ++y) {
    const uint8_t* const in = step.in.row(y);
    Out* const out = step.out.row(y);
    const uint32_t before = step.carry[y];
    uint32_t in_row = 0;
    for (int x = end; x < step.in.width; ++x) {
      step.above[x] += in_row += in[x];
      out[x] = static_cast<Out>(before + step.above[x]);
    }
    step.carry[y] = before + step.above[step.in.width - 1];
  }
}

#if HWY_TARGET == HWY_SCALAR

// The same additions in the same order as below, one by one.
template <int kRows, typename T>
void real_rows(const RowStep<T, T, T>& step, int row) {
  constexpr int kGroup = 16 / sizeof(T);
  int x = 0;
  for (; x + kGroup <= step.in.width; x += kGroup)
    for (int y = row; y < row + kRows; ++y) {
      const T* in = step.in.row(y) + x;
      T group[4] = {in[0], in[1] + in[0], 0, 0};
      if constexpr (kGroup == 4) group[2] = (in[2] + in[1]) + in[0], group[3] = (in[3] + in[2]) + group[1];
      for (int k = 0; k < kGroup; ++k)
        step.out.row(y)[x + k] = step.above[x + k] = step.above[x + k] + (group[k] + step.carry[y]);
      step.carry[y] = group[kGroup - 1] + step.carry[y];
    }
  add_elements<kRows>(step, row, x);
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
void real_rows(const RowStep<T, T, T>& step, int row) {
  constexpr int kGroup = 16 / sizeof(T);
  const hn::FixedTag<T, kGroup> d;
  const T* in[kRows];
  T* out[kRows];
  hn::Vec<decltype(d)> carry[kRows];
  HWY_UNROLL(4)
  for (int r = 0; r < kRows; ++r) {
    in[r] = step.in.row(row + r);
    out[r] = step.out.row(row + r);
    carry[r] = hn::Set(d, step.carry[row + r]);
  }
  int x = 0;
  for (; x + kGroup <= step.in.width; x += kGroup) {
    auto sum = hn::LoadU(d, step.above + x);
    HWY_UNROLL(4)
    for (int r = 0; r < kRows; ++r) {
      prefetch_for_write(out[r] + x);
      const auto in_row = hn::Add(group_prefix(d, hn::LoadU(d, in[r] + x)), carry[r]);
      carry[r] = hn::Broadcast<kGroup - 1>(in_row);
      sum = hn::Add(sum, in_row);
      hn::StoreU(sum, d, out[r] + x);
    }
    hn::StoreU(sum, d, step.above + x);
  }
  HWY_UNROLL(4)
  for (int r = 0; r < kRows; ++r) step.carry[row + r] = hn::GetLane(carry[r]);
  add_elements<kRows>(step, row, x);
}

#endif

template <bool kSigned, typename Out>
void byte_step(const RowStep<uint8_t, Out, uint32_t>& step) {
  int y = 0;
  for (; y + kRowsAtOnce <= step.in.height; y += kRowsAtOnce) byte_rows<kSigned, kRowsAtOnce>(step, y);
  for (; y < step.in.height; ++y) byte_rows<kSigned, 1>(step, y);
}

template <typename T>
void real_step(const RowStep<T, T, T>& step) {
  int y = 0;
  for (; y + kRowsAtOnce <= step.in.height; y += kRowsAtOnce) real_rows<kRowsAtOnce>(step, y);
  for (; y < step.in.height; ++y) real_rows<1>(step, y);
}

void RowsU8U32(const RowStep<uint8_t, uint32_t, uint32_t>& step) {
  byte_step<false>(step);
}
void RowsU8F32(const RowStep<uint8_t, float, uint32_t>& step) {
  if (step.below_2_31) return byte_step<true>(step);
  byte_step<false>(step);
}
void RowsF32(const RowStep<float, float, float>& step) {
  real_step(step);
}
void RowsF64(const RowStep<double, double, double>& step) {
  real_step(step);
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

void add_rows(const RowStep<uint8_t, uint32_t, uint32_t>& step) {
  HWY_DYNAMIC_DISPATCH(RowsU8U32)(step);
}
void add_rows(const RowStep<uint8_t, float, uint32_t>& step) {
  HWY_DYNAMIC_DISPATCH(RowsU8F32)(step);
}
void add_rows(const RowStep<float, float, float>& step) {
  HWY_DYNAMIC_DISPATCH(RowsF32)(step);
}
void add_rows(const RowStep<double, double, double>& step) {
  HWY_DYNAMIC_DISPATCH(RowsF64)(step);
}

}  // namespace vantage::integral
#endif  // HWY_ONCE
