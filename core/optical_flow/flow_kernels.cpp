#include "core/optical_flow/flow_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

// One copy of this file per instruction set: those that gain nothing over their neighbour are left out.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/optical_flow/flow_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vantage::flow::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;
using IntTag = hn::RebindToSigned<FloatTag>;
using Vec = hn::Vec<FloatTag>;
using IntVec = hn::Vec<IntTag>;
constexpr FloatTag d;
constexpr IntTag di;

int lanes() {
  return static_cast<int>(hn::Lanes(d));
}

// ab - cd without the loss of leading digits that a plain difference of products suffers: the equations of a
// straight edge are nearly singular.
HWY_INLINE Vec product_difference(Vec a, Vec b, Vec c, Vec e) {
  const Vec ce = hn::Mul(c, e);
  const Vec error = hn::NegMulAdd(c, e, ce);
  return hn::Add(hn::MulSub(a, b, ce), error);
}

HWY_INLINE Vec load_bytes(const uint8_t* from) {
  const hn::Rebind<uint8_t, FloatTag> d8;
  return hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d8, from)));
}

HWY_INLINE Vec weighted_column(ImageView<const uint8_t> picture, const ResampleAxis& y, int row, int x) {
  Vec sum = hn::Zero(d);
  for (int tap = 0; tap < y.taps; ++tap) {
    const size_t at = static_cast<size_t>(tap) * static_cast<size_t>(y.pitch) + static_cast<size_t>(row);
    sum = hn::MulAdd(hn::Set(d, y.weight[at]), load_bytes(picture.row(y.index[at]) + x), sum);
  }
  return sum;
}

float weighted_column_at(ImageView<const uint8_t> picture, const ResampleAxis& y, int row, int x) {
  float sum = 0;
  for (int tap = 0; tap < y.taps; ++tap) {
    const size_t at = static_cast<size_t>(tap) * static_cast<size_t>(y.pitch) + static_cast<size_t>(row);
    sum += y.weight[at] * static_cast<float>(picture.at(x, y.index[at]));
  }
  return sum;
}

// One line through a resampling table.
HWY_INLINE Vec resampled(const float* line, const ResampleAxis& x, int i) {
  Vec sum = hn::Zero(d);
  for (int tap = 0; tap < x.taps; ++tap) {
    const size_t at = static_cast<size_t>(tap) * static_cast<size_t>(x.pitch) + static_cast<size_t>(i);
    sum = hn::MulAdd(hn::LoadU(d, &x.weight[at]), hn::GatherIndex(d, line, hn::LoadU(di, &x.index[at])), sum);
  }
  return sum;
}

void ResamplePictureRow(ImageView<const uint8_t> picture, const ResampleAxis& x, const ResampleAxis& y,
                        int row, float* scratch, float* out) {
  const int n = lanes();
  // The last vector overlaps the one before instead of reading past the picture.
  if (picture.width >= n) {
    for (int i = 0; i < picture.width; i += n) {
      const int at = std::min(i, picture.width - n);
      hn::StoreU(weighted_column(picture, y, row, at), d, scratch + at);
    }
  } else {
    for (int i = 0; i < picture.width; ++i) scratch[i] = weighted_column_at(picture, y, row, i);
  }
  if (x.in != x.out || x.taps != 3 || x.in < n + 2) {
    for (int i = 0; i < x.out; i += n) hn::StoreU(resampled(scratch, x, i), d, out + i);
    return;
  }
  // Full size: three neighbours, no table but at the ends.
  const Vec side = hn::Set(d, x.weight[1]), middle = hn::Set(d, x.weight[static_cast<size_t>(x.pitch) + 1]);
  hn::StoreU(resampled(scratch, x, 0), d, out);
  for (int i = 1; i + n < x.out; i += n) {
    const Vec sides = hn::Add(hn::LoadU(d, scratch + i - 1), hn::LoadU(d, scratch + i + 1));
    hn::StoreU(hn::MulAdd(middle, hn::LoadU(d, scratch + i), hn::Mul(side, sides)), d, out + i);
  }
  const int last = (x.out - 1) / n * n;
  for (int i = std::max(0, last - n); i <= last; i += n) hn::StoreU(resampled(scratch, x, i), d, out + i);
}

// Repeats a line's end pixels `count` times outside.
void repeat_ends(float* line, int width, int count) {
  std::fill(line - count, line, line[0]);
  std::fill(line + width, line + width + count, line[width - 1]);
}

HWY_INLINE void store_records(const Vec (&channels)[kChannels], int count, float* records) {
  alignas(64) float four[4 * 16], fifth[16 + 4];
  hn::StoreInterleaved4(channels[0], channels[1], channels[2], channels[3], d, four);
  hn::StoreU(channels[4], d, fifth);
  for (int i = 0; i < count; ++i) {
    std::memcpy(records + kRecord * i, four + 4 * i, 4 * sizeof(float));
    records[kRecord * i + 4] = fifth[i];
  }
}

void ExpandRow(const Rows& level, int row, const PolynomialWeights& weights, float* scratch, Expansion& out) {
  const int n = lanes(), radius = weights.radius, width = level.width(), last = level.height() - 1;
  const size_t pitch = level.pitch();
  float* const m0 = scratch;
  float* const m1 = scratch + pitch;
  float* const m2 = scratch + 2 * pitch;
  const float* above[PolynomialWeights::kMaxRadius + 1];
  const float* below[PolynomialWeights::kMaxRadius + 1];
  for (int k = 0; k <= radius; ++k) {
    above[k] = level.row(std::max(row - k, 0));
    below[k] = level.row(std::min(row + k, last));
  }
  for (int x = 0; x < width; x += n) {
    Vec s0 = hn::Mul(hn::Set(d, weights.g[0]), hn::LoadU(d, above[0] + x));
    Vec s1 = hn::Zero(d), s2 = hn::Zero(d);
    for (int k = 1; k <= radius; ++k) {
      const Vec a = hn::LoadU(d, above[k] + x), b = hn::LoadU(d, below[k] + x), sum = hn::Add(a, b);
      s0 = hn::MulAdd(hn::Set(d, weights.g[k]), sum, s0);
      s1 = hn::MulAdd(hn::Set(d, weights.xg[k]), hn::Sub(b, a), s1);
      s2 = hn::MulAdd(hn::Set(d, weights.xxg[k]), sum, s2);
    }
    hn::StoreU(s0, d, m0 + x);
    hn::StoreU(s1, d, m1 + x);
    hn::StoreU(s2, d, m2 + x);
  }
  repeat_ends(m0, width, radius);
  repeat_ends(m1, width, radius);
  repeat_ends(m2, width, radius);
  const Vec i11 = hn::Set(d, weights.inverse_11), i03 = hn::Set(d, weights.inverse_03);
  const Vec i33 = hn::Set(d, weights.inverse_33), i55 = hn::Set(d, weights.inverse_55);
  for (int x = 0; x < width; x += n) {
    const Vec g0 = hn::Set(d, weights.g[0]);
    Vec m00 = hn::Mul(g0, hn::LoadU(d, m0 + x)), m01 = hn::Mul(g0, hn::LoadU(d, m1 + x));
    Vec m02 = hn::Mul(g0, hn::LoadU(d, m2 + x)), m10 = hn::Zero(d), m20 = hn::Zero(d), m11 = hn::Zero(d);
    for (int k = 1; k <= radius; ++k) {
      const Vec g = hn::Set(d, weights.g[k]), xg = hn::Set(d, weights.xg[k]);
      const Vec left = hn::LoadU(d, m0 + x - k), right = hn::LoadU(d, m0 + x + k), sum = hn::Add(left, right);
      const Vec left1 = hn::LoadU(d, m1 + x - k), right1 = hn::LoadU(d, m1 + x + k);
      m00 = hn::MulAdd(g, sum, m00);
      m20 = hn::MulAdd(hn::Set(d, weights.xxg[k]), sum, m20);
      m10 = hn::MulAdd(xg, hn::Sub(right, left), m10);
      m01 = hn::MulAdd(g, hn::Add(left1, right1), m01);
      m11 = hn::MulAdd(xg, hn::Sub(right1, left1), m11);
      m02 = hn::MulAdd(g, hn::Add(hn::LoadU(d, m2 + x - k), hn::LoadU(d, m2 + x + k)), m02);
    }
    const Vec base = hn::Mul(i03, m00);
    const Vec channels[kChannels] = {hn::Mul(i11, m10), hn::Mul(i11, m01), hn::MulAdd(i33, m20, base),
                                     hn::MulAdd(i33, m02, base), hn::Mul(i55, m11)};
    for (int c = 0; c < kChannels; ++c) hn::StoreU(channels[c], d, out.planes.row(row, c) + x);
    store_records(channels, std::min(n, width - x), out.record(row * width + x));
  }
}

// The position of each pixel's four neighbours in the later picture, clamped into it.
struct Neighbours {
  alignas(64) int32_t record[16];  // of the upper left one
  alignas(64) float x[16];         // distance from it
  alignas(64) float y[16];
};

HWY_INLINE void find_neighbours(const Expansion& later, Vec px, Vec py, Neighbours& found) {
  const Vec zero = hn::Zero(d);
  const Vec right = hn::Set(d, static_cast<float>(std::max(later.width() - 2, 0)));
  const Vec bottom = hn::Set(d, static_cast<float>(std::max(later.height() - 2, 0)));
  const Vec x = hn::Min(hn::Max(hn::Floor(px), zero), right),
            y = hn::Min(hn::Max(hn::Floor(py), zero), bottom);
  const IntVec row = hn::Mul(hn::ConvertTo(di, y), hn::Set(di, later.width()));
  hn::Store(hn::Add(row, hn::ConvertTo(di, x)), di, found.record);
  hn::Store(hn::Sub(px, x), d, found.x);
  hn::Store(hn::Sub(py, y), d, found.y);
}

// One pixel's neighbours, all channels at once: a record is one or two vectors.
template <class RecordTag>
HWY_INLINE void interpolate(RecordTag dr, const float* upper, size_t row_pitch, float x, float y, float* four,
                            float* fifth) {
  const auto wx = hn::Set(dr, x), wy = hn::Set(dr, y);
  const auto part = [&](size_t i) HWY_ATTR {
    const float* const lower = upper + row_pitch;
    const auto a = hn::Load(dr, upper + i), b = hn::Load(dr, upper + kRecord + i);
    const auto e = hn::Load(dr, lower + i), f = hn::Load(dr, lower + kRecord + i);
    const auto above = hn::MulAdd(wx, hn::Sub(b, a), a), below = hn::MulAdd(wx, hn::Sub(f, e), e);
    return hn::MulAdd(wy, hn::Sub(below, above), above);
  };
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(dr) == kRecord) {
    const hn::Half<RecordTag> dh;
    const auto all = part(0);
    hn::StoreU(hn::LowerHalf(dh, all), dh, four);
    *fifth = hn::GetLane(hn::UpperHalf(dh, all));
    return;
  }
#endif
  for (size_t i = 0; i < kChannels; i += hn::MaxLanes(dr)) hn::StoreU(part(i), dr, i < 4 ? four + i : fifth);
}

void WarpRow(const Expansion& later, int row, Columns columns, const float* flow, float* four, float* fifth) {
  const int n = lanes();
  const Vec y = hn::Set(d, static_cast<float>(row));
  // A one-row level has no lower neighbour; its weight is never used.
  const size_t row_pitch = later.height() > 1 ? static_cast<size_t>(later.width()) * kRecord : 0;
  Neighbours found;
  for (int x = columns.begin; x < columns.end; x += n, flow += 2 * n, four += 4 * n, fifth += n) {
    Vec dx, dy;
    hn::LoadInterleaved2(d, flow, dx, dy);
    find_neighbours(later, hn::Add(hn::Iota(d, static_cast<float>(x)), dx), hn::Add(y, dy), found);
    // Each pixel's fifth channel is stored with three more floats, which the next pixels overwrite.
    for (int i = 0; i < n; ++i)
      interpolate(hn::CappedTag<float, 8>(), later.record(found.record[i]), row_pitch, found.x[i], found.y[i],
                  four + 4 * i, fifth + i);
  }
}

void EquationsRow(const Expansion& earlier, int row, Columns columns, const float* flow, const float* four,
                  const float* fifth, const float* border_x, float border_y, float* out, size_t pitch) {
  const int n = lanes(), width = earlier.width(), height = earlier.height();
  const Vec half = hn::Set(d, 0.5f), quarter = hn::Set(d, 0.25f), zero = hn::Zero(d);
  const Vec right = hn::Set(d, static_cast<float>(width - 1)),
            bottom = hn::Set(d, static_cast<float>(height - 1));
  const Vec here_y = hn::Set(d, static_cast<float>(row));
  for (int x = columns.begin; x < columns.end; x += n, flow += 2 * n, four += 4 * n, fifth += n, out += n) {
    Vec dx, dy;
    hn::LoadInterleaved2(d, flow, dx, dy);
    const Vec px = hn::Add(hn::Iota(d, static_cast<float>(x)), dx), py = hn::Add(here_y, dy);
    const auto inside =
        hn::And(hn::And(hn::Ge(px, zero), hn::Lt(px, right)), hn::And(hn::Ge(py, zero), hn::Lt(py, bottom)));
    Vec warped[kChannels];
    hn::LoadInterleaved4(d, four, warped[0], warped[1], warped[2], warped[3]);
    warped[4] = hn::LoadU(d, fifth);
    const auto first = [&](int c) HWY_ATTR { return hn::LoadU(d, earlier.planes.row(row, c) + x); };
    const auto mean = [&](int c, Vec weight, Vec alone) HWY_ATTR {
      const Vec a = first(c);
      return hn::IfThenElse(inside, hn::Mul(weight, hn::Add(a, warped[c])), hn::Mul(alone, a));
    };
    const Vec one = hn::Set(d, 1.0f);
    const Vec axx = mean(kAxx, half, one), ayy = mean(kAyy, half, one), axy = mean(kAxy, quarter, half);
    const Vec bx = hn::Mul(half, hn::Sub(first(kBx), hn::IfThenElseZero(inside, warped[kBx])));
    const Vec by = hn::Mul(half, hn::Sub(first(kBy), hn::IfThenElseZero(inside, warped[kBy])));
    const Vec ux = hn::MulAdd(axx, dx, hn::MulAdd(axy, dy, bx));
    const Vec uy = hn::MulAdd(axy, dx, hn::MulAdd(ayy, dy, by));
    const Vec weight = hn::Mul(hn::Set(d, border_y), hn::LoadU(d, border_x + x));
    const Vec axy2 = hn::Mul(axy, axy);
    const auto store = [&](int c, Vec value) HWY_ATTR {
      hn::StoreU(hn::Mul(weight, value), d, out + static_cast<size_t>(c) * pitch);
    };
    store(kGxx, hn::MulAdd(axx, axx, axy2));
    store(kGxy, hn::Mul(axy, hn::Add(axx, ayy)));
    store(kGyy, hn::MulAdd(ayy, ayy, axy2));
    store(kHx, hn::MulAdd(axx, ux, hn::Mul(axy, uy)));
    store(kHy, hn::MulAdd(axy, ux, hn::Mul(ayy, uy)));
  }
}

HWY_INLINE void store_solution(Vec gxx, Vec gxy, Vec gyy, Vec hx, Vec hy, float* flow) {
  // The exact determinant is never negative; rounding must not turn a flow round.
  const Vec determinant = hn::Max(product_difference(gxx, gyy, gxy, gxy), hn::Zero(d));
  const Vec inverse = hn::Div(
      hn::Set(d, 1.0f), hn::Add(determinant, hn::Set(d, static_cast<float>(FlowPlan::kRegularisation))));
  const Vec dx = hn::Mul(product_difference(gyy, hx, gxy, hy), inverse);
  const Vec dy = hn::Mul(product_difference(gxx, hy, gxy, hx), inverse);
  hn::StoreInterleaved2(dx, dy, d, flow);
}

template <bool kUniform>
HWY_INLINE Vec window_sum(const WindowWeights& window, const Vec& centre, const auto& pair_sum) {
  Vec sum = kUniform ? centre : hn::Mul(hn::Set(d, window.weight[0]), centre);
  for (int k = 1; k <= window.radius; ++k)
    sum = kUniform ? hn::Add(sum, pair_sum(k)) : hn::MulAdd(hn::Set(d, window.weight[k]), pair_sum(k), sum);
  return sum;
}

template <bool kUniform>
void window_with(float* equations, size_t pitch, Columns in, Columns to, const WindowWeights& window,
                 float* out) {
  for (size_t c = 0; c < kChannels; ++c) {
    float* const line = equations + c * pitch;
    repeat_ends(line, in.count(), window.radius);
    const float* from = line + (to.begin - in.begin);
    for (int i = 0; i < to.count(); i += lanes()) {
      const Vec sum = window_sum<kUniform>(window, hn::LoadU(d, from + i), [&](int k) HWY_ATTR {
        return hn::Add(hn::LoadU(d, from + i - k), hn::LoadU(d, from + i + k));
      });
      hn::StoreU(sum, d, out + c * pitch + i);
    }
  }
}

void WindowRow(float* equations, size_t pitch, Columns in, Columns to, const WindowWeights& window,
               float* out) {
  if (window.uniform)
    window_with<true>(equations, pitch, in, to, window, out);
  else
    window_with<false>(equations, pitch, in, to, window, out);
}

template <bool kUniform>
void solve_with(const float* const* lines, size_t pitch, int count, const WindowWeights& window,
                float* flow) {
  const int radius = window.radius;
  const Vec scale = hn::Set(d, kUniform ? window.weight[0] * window.weight[0] : 1.0f);
  for (int i = 0; i < count; i += lanes()) {
    const auto down = [&](size_t c) HWY_ATTR {
      const size_t at = c * pitch + static_cast<size_t>(i);
      return hn::Mul(
          scale, window_sum<kUniform>(window, hn::LoadU(d, lines[radius] + at), [&](int k) HWY_ATTR {
            return hn::Add(hn::LoadU(d, lines[radius - k] + at), hn::LoadU(d, lines[radius + k] + at));
          }));
    };
    store_solution(down(kGxx), down(kGxy), down(kGyy), down(kHx), down(kHy), flow + 2 * i);
  }
}

void SolveRow(const float* const* lines, size_t pitch, int count, const WindowWeights& window, float* flow) {
  if (window.uniform)
    solve_with<true>(lines, pitch, count, window, flow);
  else
    solve_with<false>(lines, pitch, count, window, flow);
}

void ResampleFlowRow(const float* const* coarse_rows, int coarse_width, const ResampleAxis& x,
                     const ResampleAxis& y, int row, float gain, float* scratch, float* flow) {
  const int n = lanes();
  float* const line_x = scratch;
  float* const line_y = scratch + (coarse_width + 15) / 16 * 16;
  for (int i = 0; i < coarse_width; i += n) {
    Vec sum_x = hn::Zero(d), sum_y = hn::Zero(d);
    for (int tap = 0; tap < y.taps; ++tap) {
      const size_t at = static_cast<size_t>(tap) * static_cast<size_t>(y.pitch) + static_cast<size_t>(row);
      const Vec weight = hn::Set(d, y.weight[at] * gain);
      Vec fx, fy;
      hn::LoadInterleaved2(d, coarse_rows[y.index[at]] + 2 * i, fx, fy);
      sum_x = hn::MulAdd(weight, fx, sum_x);
      sum_y = hn::MulAdd(weight, fy, sum_y);
    }
    hn::StoreU(sum_x, d, line_x + i);
    hn::StoreU(sum_y, d, line_y + i);
  }
  for (int i = 0; i < x.out; i += n)
    hn::StoreInterleaved2(resampled(line_x, x, i), resampled(line_y, x, i), d, flow + 2 * i);
}

}  // namespace vantage::flow::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::flow {

HWY_EXPORT(ResamplePictureRow);
HWY_EXPORT(ExpandRow);
HWY_EXPORT(WarpRow);
HWY_EXPORT(EquationsRow);
HWY_EXPORT(WindowRow);
HWY_EXPORT(SolveRow);
HWY_EXPORT(ResampleFlowRow);

void resample_picture_row(ImageView<const uint8_t> picture, const ResampleAxis& x, const ResampleAxis& y,
                          int row, float* scratch, float* out) {
  HWY_DYNAMIC_DISPATCH(ResamplePictureRow)(picture, x, y, row, scratch, out);
}

void expand_row(const Rows& level, int row, const PolynomialWeights& weights, float* scratch,
                Expansion& out) {
  HWY_DYNAMIC_DISPATCH(ExpandRow)(level, row, weights, scratch, out);
}

void warp_row(const Expansion& later, int row, Columns columns, const float* flow, float* four,
              float* fifth) {
  HWY_DYNAMIC_DISPATCH(WarpRow)(later, row, columns, flow, four, fifth);
}

void equations_row(const Expansion& earlier, int row, Columns columns, const float* flow, const float* four,
                   const float* fifth, const float* border_x, float border_y, float* out, size_t pitch) {
  HWY_DYNAMIC_DISPATCH(EquationsRow)
  (earlier, row, columns, flow, four, fifth, border_x, border_y, out, pitch);
}

void window_row(float* equations, size_t pitch, Columns in, Columns to, const WindowWeights& window,
                float* out) {
  HWY_DYNAMIC_DISPATCH(WindowRow)(equations, pitch, in, to, window, out);
}

void solve_row(const float* const* lines, size_t pitch, int count, const WindowWeights& window, float* flow) {
  HWY_DYNAMIC_DISPATCH(SolveRow)(lines, pitch, count, window, flow);
}

void resample_flow_row(const float* const* coarse_rows, int coarse_width, const ResampleAxis& x,
                       const ResampleAxis& y, int row, float gain, float* scratch, float* flow) {
  HWY_DYNAMIC_DISPATCH(ResampleFlowRow)(coarse_rows, coarse_width, x, y, row, gain, scratch, flow);
}

}  // namespace vantage::flow
#endif
