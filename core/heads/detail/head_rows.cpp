#include "core/heads/detail/head_rows.h"

#include <algorithm>

#include "core/base/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/heads/detail/head_rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vantage::heads {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D8 = hn::ScalableTag<uint8_t>;
using D16 = hn::ScalableTag<int16_t>;
using Du16 = hn::ScalableTag<uint16_t>;

void SumPixels(const uint8_t* upper, const uint8_t* lower, uint16_t* out, int count) {
  const Du16 d;
  const hn::Rebind<uint8_t, Du16> d8;
  const auto at = [&](const uint8_t* row, int x) { return hn::PromoteTo(d, hn::LoadU(d8, row + x)); };
  for (int x = 0; x < count; x += static_cast<int>(hn::Lanes(d)))
    hn::StoreU(hn::Add(hn::Add(at(upper, x), at(upper, x + 1)), hn::Add(at(lower, x), at(lower, x + 1))), d,
               out + x);
}

void SumBlocks(const uint16_t* const* rows, int row_count, uint16_t* out, int count) {
  const Du16 d;
  for (int x = 0; x < count; x += static_cast<int>(hn::Lanes(d))) {
    auto sum = hn::Zero(d);
    for (int r = 0; r < row_count; ++r)
      for (int i = 0; i < row_count; ++i) sum = hn::Add(sum, hn::LoadU(d, rows[r] + x + 2 * i));
    hn::StoreU(sum, d, out + x);
  }
}

// Clockwise from the first corner: (row, column) of each neighbour.
constexpr int kAround[8][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 2}, {2, 2}, {2, 1}, {2, 0}, {1, 0}};

void CodeBlocks(const uint16_t* const* rows, int block, uint8_t* out, int count) {
  const D16 d;  // sums stay below 2^15
  const hn::Rebind<uint8_t, D16> d8;
  const auto at = [&](int r, int x) { return hn::LoadU(d, reinterpret_cast<const int16_t*>(rows[r]) + x); };
  for (int x = 0; x < count; x += static_cast<int>(hn::Lanes(d))) {
    const auto middle = at(1, x + block);
    auto less = hn::Zero(d);
    for (int k = 0; k < 8; ++k)
      less = hn::Or(less, hn::IfThenElseZero(hn::Lt(at(kAround[k][0], x + kAround[k][1] * block), middle),
                                             hn::Set(d, static_cast<int16_t>(1 << k))));
    hn::StoreU(hn::DemoteTo(d8, hn::Xor(less, hn::Set(d, int16_t{255}))), d8, out + x);
  }
}

void CodePixels(const uint8_t* const* rows, uint8_t* out, int count) {
  const D8 d;
  for (int x = 0; x < count; x += static_cast<int>(hn::Lanes(d))) {
    const auto middle = hn::LoadU(d, rows[1] + x + 1);
    auto code = hn::Zero(d);
    for (int k = 0; k < 8; ++k) {
      const auto around = hn::LoadU(d, rows[kAround[k][0]] + x + kAround[k][1]);
      code = hn::Or(code, hn::IfThenElseZero(hn::Eq(hn::Max(around, middle), around),
                                             hn::Set(d, static_cast<uint8_t>(1 << k))));
    }
    hn::StoreU(code, d, out + x);
  }
}

// The rest for one window.
void finish_window(const HeadRow& row, int x, int next, int32_t score, std::vector<RowHit>* hits) {
  const std::vector<WeakHeadClassifier>& weak = row.model->weak;
  for (size_t t = static_cast<size_t>(next); t < weak.size(); ++t) {
    score += weak[t].table[row.codes[row.offsets[t] + x]];
    if (score < weak[t].reject_below) return;
  }
  if (score >= row.accept_from) hits->push_back({x, score});
}

#if HWY_TARGET == HWY_SCALAR
void ClassifyRow(const HeadRow& row, std::vector<RowHit>* hits) {
  for (int x = 0; x < row.count; x += row.step) finish_window(row, x, 0, 0, hits);
}
#else
// table[code] for a vector of codes: the table's 16 rows, each looked up where the upper four bits match.
template <class V>
HWY_INLINE V look_up(D8 d, const int8_t* table, V codes) {
  auto found = hn::Zero(d);
  for (int row = 0; row < 16; ++row) {
    const auto entries = hn::LoadDup128(d, reinterpret_cast<const uint8_t*>(table) + 16 * row);
    // 0x70 to 0x7f where the row is right, 0x80 and above elsewhere.
    const auto index =
        hn::SaturatedAdd(hn::Xor(codes, hn::Set(d, static_cast<uint8_t>(row << 4))), hn::Set(d, 0x70));
    found = hn::Or(found, hn::TableLookupBytesOr0(entries, hn::And(index, hn::Set(d, 0x8f))));
  }
  return found;
}

constexpr int kTogether = 40;  // weak classifiers asked for a whole vector of windows: sums fit 16 bits

void ClassifyRow(const HeadRow& row, std::vector<RowHit>* hits) {
  const D8 d;
  const hn::RebindToSigned<D8> ds;
  const hn::Half<decltype(ds)> dh;
  const D16 d16;
  const int lanes = static_cast<int>(hn::Lanes(d)), half = lanes / 2;
  const int together = std::min<int>(kTogether, static_cast<int>(row.model->weak.size()));
  // Below so many windows the rest is cheaper one by one.
  const size_t few = static_cast<size_t>(lanes) / 12;
  const auto visited =
      hn::Eq(hn::And(hn::Iota(d16, 0), hn::Set(d16, static_cast<int16_t>(row.step - 1))), hn::Zero(d16));
  const auto first = [&](int n) {
    return hn::And(hn::FirstN(d16, static_cast<size_t>(std::clamp(n, 0, half))), visited);
  };
  for (int x0 = 0; x0 < row.count; x0 += lanes) {
    auto low = hn::Zero(d16), high = hn::Zero(d16);
    auto alive_low = first(row.count - x0), alive_high = first(row.count - x0 - half);
    int t = 0;
    size_t alive = 1;
    while (t < together) {
      const WeakHeadClassifier& weak = row.model->weak[t];
      const auto said =
          hn::BitCast(ds, look_up(d, weak.table.data(), hn::LoadU(d, row.codes + row.offsets[t] + x0)));
      low = hn::Add(low, hn::PromoteTo(d16, hn::LowerHalf(dh, said)));
      high = hn::Add(high, hn::PromoteTo(d16, hn::UpperHalf(dh, said)));
      const auto limit = hn::Set(d16, weak.reject_below);
      alive_low = hn::AndNot(hn::Lt(low, limit), alive_low);
      alive_high = hn::AndNot(hn::Lt(high, limit), alive_high);
      ++t;
      alive = hn::CountTrue(d16, alive_low) + hn::CountTrue(d16, alive_high);
      if (alive <= few) break;
    }
    if (alive == 0) continue;
    HWY_ALIGN int16_t scores[HWY_MAX_BYTES], kept[HWY_MAX_BYTES];
    hn::Store(low, d16, scores);
    hn::Store(high, d16, scores + half);
    hn::Store(hn::VecFromMask(d16, alive_low), d16, kept);
    hn::Store(hn::VecFromMask(d16, alive_high), d16, kept + half);
    for (int i = 0; i < lanes; ++i)
      if (kept[i] != 0) finish_window(row, x0 + i, t, scores[i], hits);
  }
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace vantage::heads
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::heads {
HWY_EXPORT(SumPixels);
HWY_EXPORT(SumBlocks);
HWY_EXPORT(CodeBlocks);
HWY_EXPORT(CodePixels);
HWY_EXPORT(ClassifyRow);

void sum_pixels(const uint8_t* upper, const uint8_t* lower, uint16_t* out, int count) {
  HWY_DYNAMIC_DISPATCH(SumPixels)(upper, lower, out, count);
}
void sum_blocks(const uint16_t* const* rows, int row_count, uint16_t* out, int count) {
  HWY_DYNAMIC_DISPATCH(SumBlocks)(rows, row_count, out, count);
}
void code_blocks(const uint16_t* const* rows, int block, uint8_t* out, int count) {
  HWY_DYNAMIC_DISPATCH(CodeBlocks)(rows, block, out, count);
}
void code_pixels(const uint8_t* const* rows, uint8_t* out, int count) {
  HWY_DYNAMIC_DISPATCH(CodePixels)(rows, out, count);
}
void classify_row(const HeadRow& row, std::vector<RowHit>* hits) {
  HWY_DYNAMIC_DISPATCH(ClassifyRow)(row, hits);
}
}  // namespace vantage::heads
#endif
