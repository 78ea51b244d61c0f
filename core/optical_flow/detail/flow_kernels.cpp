#include "core/optical_flow/detail/flow_kernels.h"

#include <algorithm>
#include <cmath>

#include "core/base/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/optical_flow/detail/flow_kernels.cpp"
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

void ExpandRow(const Rows& level, int row, const PolynomialWeights& weights, float* scratch, Rows& out) {
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
    for (int c = 0; c < kChannels; ++c) hn::StoreU(channels[c], d, out.row(row, c) + x);
  }
}

// Two vectors side by side, looked up by lane.
struct Pick {
#if HWY_TARGET == HWY_AVX3
  IntVec index;
  explicit HWY_INLINE Pick(IntVec lane) : index(lane) {}
  HWY_INLINE Vec operator()(const float* from) const {
    return Vec{_mm512_permutex2var_ps(hn::LoadU(d, from).raw, index.raw, hn::LoadU(d, from + 16).raw)};
  }
#else
  decltype(hn::IndicesFromVec(d, hn::Zero(di))) index;
  hn::Mask<FloatTag> second;
  explicit HWY_INLINE Pick(IntVec lane)
      : index(hn::IndicesFromVec(d, hn::And(lane, hn::Set(di, lanes() - 1)))),
        second(hn::RebindMask(d, hn::Gt(lane, hn::Set(di, lanes() - 1)))) {}
  HWY_INLINE Vec operator()(const float* from) const {
    return hn::IfThenElse(second, hn::TableLookupLanes(hn::LoadU(d, from + lanes()), index),
                          hn::TableLookupLanes(hn::LoadU(d, from), index));
  }
#endif
};

// True where every lane lies in [0, count).
HWY_INLINE bool all_below(Vec values, int count) {
  return hn::AllTrue(
      d, hn::And(hn::Ge(values, hn::Zero(d)), hn::Lt(values, hn::Set(d, static_cast<float>(count)))));
}

// Adds to `sums` the later expansion at (x, y) + (right, down), bilinear, times `share`. x, y: the upper left
// one of each pixel's four neighbours, whole numbers within the picture. Where the flow is smooth all of a
// vector's neighbours lie in two or three rows and within two vectors of each other: those are read in order,
// from aligned memory where that holds them. Elsewhere each is fetched by itself.
struct LaterReader {
  const Rows& later;
  const float* first = later.row(0);
  size_t pitch = later.pitch();
  // To the next row; a level of one row has no lower neighbour, whose weight is never used.
  ptrdiff_t stride = later.height() > 1 ? static_cast<ptrdiff_t>(pitch) * kChannels : 0;

  HWY_INLINE void add(Vec x, Vec y, Vec right, Vec down, Vec share, Vec (&sums)[kChannels]) const {
    const int n = lanes();
    const Vec lower = hn::Mul(share, down), upper = hn::Sub(share, lower);
    const Vec lower_right = hn::Mul(lower, right), upper_right = hn::Mul(upper, right);
    const Vec lower_left = hn::Sub(lower, lower_right), upper_left = hn::Sub(upper, upper_right);
    const auto left_x = static_cast<int>(hn::GetLane(x)), top = static_cast<int>(hn::GetLane(y));
    int begin = left_x / n * n;
    Vec lane = hn::Sub(x, hn::Set(d, static_cast<float>(begin)));
    bool near = all_below(lane, 2 * n - 1);
    if (!near) {
      begin = left_x - n / 2;
      lane = hn::Sub(x, hn::Set(d, static_cast<float>(begin)));
      near = all_below(lane, 2 * n - 1);
    }
    const Vec zero = hn::Zero(d), row = hn::Sub(y, hn::Set(d, static_cast<float>(top)));
    if (near && n > 1 && hn::AllTrue(d, hn::Eq(row, zero))) {
      const Vec weights[2][2] = {{upper_left, upper_right}, {lower_left, lower_right}};
      add_rows(first + top * stride + begin, lane, weights, sums);
      return;
    }
    const int above = all_below(row, 2) ? 0 : 1;
    if (near && n > 1 && all_below(hn::Add(row, hn::Set(d, static_cast<float>(above))), 2)) {
      const auto second = hn::Gt(row, hn::Set(d, static_cast<float>(-above)));
      const Vec weights[3][2] = {
          {hn::IfThenZeroElse(second, upper_left), hn::IfThenZeroElse(second, upper_right)},
          {hn::IfThenElse(second, upper_left, lower_left), hn::IfThenElse(second, upper_right, lower_right)},
          {hn::IfThenElseZero(second, lower_left), hn::IfThenElseZero(second, lower_right)}};
      add_rows(first + (top - above) * stride + begin, lane, weights, sums);
      return;
    }
    const IntVec index =
        hn::Add(hn::Mul(hn::ConvertTo(di, y), hn::Set(di, static_cast<int>(stride))), hn::ConvertTo(di, x));
    add_scattered(index, {{upper_left, upper_right}, {lower_left, lower_right}}, sums);
  }

 private:
  template <int kRows>
  HWY_INLINE void add_rows(const float* from, Vec lane, const Vec (&weights)[kRows][2],
                           Vec (&sums)[kChannels]) const {
    const IntVec index = hn::ConvertTo(di, lane);
    const Pick left(index), right(hn::Add(index, hn::Set(di, 1)));
    for (int c = 0; c < kChannels; ++c, from += pitch)
      for (int i = 0; i < kRows; ++i) {
        sums[c] = hn::MulAdd(weights[i][0], left(from + i * stride), sums[c]);
        sums[c] = hn::MulAdd(weights[i][1], right(from + i * stride), sums[c]);
      }
  }

  HWY_INLINE void add_scattered(IntVec index, const Vec (&weights)[2][2], Vec (&sums)[kChannels]) const {
    const float* from = first;
    for (int c = 0; c < kChannels; ++c, from += pitch)
      for (int i = 0; i < 2; ++i) {
        sums[c] = hn::MulAdd(weights[i][0], hn::GatherIndex(d, from + i * stride, index), sums[c]);
        sums[c] = hn::MulAdd(weights[i][1], hn::GatherIndex(d, from + i * stride + 1, index), sums[c]);
      }
  }
};

void EquationsRow(const Rows& earlier, const Rows& later, int row, Columns columns, const float* flow,
                  const float* border_x, float border_y, float* out, size_t pitch) {
  const int n = lanes(), width = earlier.width(), height = earlier.height();
  const Vec half = hn::Set(d, 0.5f), one = hn::Set(d, 1.0f), zero = hn::Zero(d);
  const Vec right = hn::Set(d, static_cast<float>(width - 1)),
            bottom = hn::Set(d, static_cast<float>(height - 1));
  const Vec max_x = hn::Set(d, static_cast<float>(std::max(width - 2, 0))),
            max_y = hn::Set(d, static_cast<float>(std::max(height - 2, 0)));
  const Vec here_y = hn::Set(d, static_cast<float>(row));
  const LaterReader reader{later};
  const float* first = earlier.row(row) + columns.begin;
  for (int x = columns.begin; x < columns.end; x += n, flow += 2 * n, out += n, first += n) {
    Vec dx, dy;
    hn::LoadInterleaved2(d, flow, dx, dy);
    const Vec px = hn::Add(hn::Iota(d, static_cast<float>(x)), dx), py = hn::Add(here_y, dy);
    const auto inside =
        hn::And(hn::And(hn::Ge(px, zero), hn::Lt(px, right)), hn::And(hn::Ge(py, zero), hn::Lt(py, bottom)));
    // Means of both pictures, outside the earlier one alone; of b half the difference, later less earlier.
    const Vec alone = hn::IfThenElse(inside, half, one);
    const auto channel = [&](int c) HWY_ATTR {
      return hn::LoadU(d, first + static_cast<size_t>(c) * earlier.pitch());
    };
    Vec mean[kChannels] = {hn::Mul(hn::Neg(half), channel(kBx)), hn::Mul(hn::Neg(half), channel(kBy)),
                           hn::Mul(alone, channel(kAxx)), hn::Mul(alone, channel(kAyy)),
                           hn::Mul(alone, channel(kAxy))};
    const Vec left = hn::Min(hn::Max(hn::Floor(px), zero), max_x),
              top = hn::Min(hn::Max(hn::Floor(py), zero), max_y);
    reader.add(left, top, hn::Sub(px, left), hn::Sub(py, top), hn::IfThenElseZero(inside, half), mean);
    const Vec axx = mean[kAxx], ayy = mean[kAyy], axy = hn::Mul(half, mean[kAxy]);
    const Vec ux = hn::MulAdd(axx, dx, hn::MulSub(axy, dy, mean[kBx]));
    const Vec uy = hn::MulAdd(axy, dx, hn::MulSub(ayy, dy, mean[kBy]));
    const Vec axy2 = hn::Mul(axy, axy);
    Vec equations[kChannels];
    equations[kGxx] = hn::MulAdd(axx, axx, axy2);
    equations[kGxy] = hn::Mul(axy, hn::Add(axx, ayy));
    equations[kGyy] = hn::MulAdd(ayy, ayy, axy2);
    equations[kHx] = hn::MulAdd(axx, ux, hn::Mul(axy, uy));
    equations[kHy] = hn::MulAdd(axy, ux, hn::Mul(ayy, uy));
    const bool bordered = border_y != 1 || x < FlowPlan::kBorder || x + n > width - FlowPlan::kBorder;
    if (HWY_UNLIKELY(bordered)) {
      const Vec weight = hn::Mul(hn::Set(d, border_y), hn::LoadU(d, border_x + x));
      for (Vec& value : equations) value = hn::Mul(weight, value);
    }
    for (size_t c = 0; c < kChannels; ++c) hn::StoreU(equations[c], d, out + c * pitch);
  }
}

// `regularisation` is added to the determinant, which is in the sums' unit.
HWY_INLINE void store_solution(const Vec (&sums)[kChannels], Vec regularisation, float* flow) {
  const Vec gxx = sums[kGxx], gxy = sums[kGxy], gyy = sums[kGyy], hx = sums[kHx], hy = sums[kHy];
  // The exact determinant is never negative; rounding must not turn a flow round.
  const Vec determinant = hn::Max(product_difference(gxx, gyy, gxy, gxy), hn::Zero(d));
  const Vec inverse = hn::Div(hn::Set(d, 1.0f), hn::Add(determinant, regularisation));
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

HWY_INLINE Vec regularisation_of(const WindowWeights& window) {
  // A uniform window's sums are not divided by their number.
  const double scale = window.uniform ? std::pow(static_cast<double>(window.weight[0]), 4) : 1.0;
  return hn::Set(d, static_cast<float>(FlowPlan::kRegularisation / scale));
}

template <bool kUniform>
void solve_with(const float* const* lines, size_t pitch, int count, const WindowWeights& window,
                float* flow) {
  const int radius = window.radius;
  const Vec regularisation = regularisation_of(window);
  for (int i = 0; i < count; i += lanes()) {
    Vec sums[kChannels];
    for (size_t c = 0; c < kChannels; ++c) {
      const size_t at = c * pitch + static_cast<size_t>(i);
      sums[c] = window_sum<kUniform>(window, hn::LoadU(d, lines[radius] + at), [&](int k) HWY_ATTR {
        return hn::Add(hn::LoadU(d, lines[radius - k] + at), hn::LoadU(d, lines[radius + k] + at));
      });
    }
    store_solution(sums, regularisation, flow + 2 * i);
  }
}

// Two rows of uniform windows share all but one line each.
void solve_two(const float* const* lines, size_t pitch, int count, const WindowWeights& window, float* upper,
               float* lower) {
  const int last = 2 * window.radius + 1;
  const Vec regularisation = regularisation_of(window);
  for (int i = 0; i < count; i += lanes()) {
    Vec above[kChannels], below[kChannels];
    for (size_t c = 0; c < kChannels; ++c) {
      const size_t at = c * pitch + static_cast<size_t>(i);
      Vec shared = hn::LoadU(d, lines[1] + at);
      for (int k = 2; k < last; ++k) shared = hn::Add(shared, hn::LoadU(d, lines[k] + at));
      above[c] = hn::Add(shared, hn::LoadU(d, lines[0] + at));
      below[c] = hn::Add(shared, hn::LoadU(d, lines[last] + at));
    }
    store_solution(above, regularisation, upper + 2 * i);
    store_solution(below, regularisation, lower + 2 * i);
  }
}

void SolveRows(const float* const* lines, size_t pitch, int count, const WindowWeights& window,
               float* const* flow, int rows) {
  if (rows == 2 && window.uniform) {
    solve_two(lines, pitch, count, window, flow[0], flow[1]);
    return;
  }
  for (int i = 0; i < rows; ++i) {
    if (window.uniform)
      solve_with<true>(lines + i, pitch, count, window, flow[i]);
    else
      solve_with<false>(lines + i, pitch, count, window, flow[i]);
  }
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
HWY_EXPORT(EquationsRow);
HWY_EXPORT(WindowRow);
HWY_EXPORT(SolveRows);
HWY_EXPORT(ResampleFlowRow);

void resample_picture_row(ImageView<const uint8_t> picture, const ResampleAxis& x, const ResampleAxis& y,
                          int row, float* scratch, float* out) {
  HWY_DYNAMIC_DISPATCH(ResamplePictureRow)(picture, x, y, row, scratch, out);
}

void expand_row(const Rows& level, int row, const PolynomialWeights& weights, float* scratch, Rows& out) {
  HWY_DYNAMIC_DISPATCH(ExpandRow)(level, row, weights, scratch, out);
}

void equations_row(const Rows& earlier, const Rows& later, int row, Columns columns, const float* flow,
                   const float* border_x, float border_y, float* out, size_t pitch) {
  HWY_DYNAMIC_DISPATCH(EquationsRow)(earlier, later, row, columns, flow, border_x, border_y, out, pitch);
}

void window_row(float* equations, size_t pitch, Columns in, Columns to, const WindowWeights& window,
                float* out) {
  HWY_DYNAMIC_DISPATCH(WindowRow)(equations, pitch, in, to, window, out);
}

void solve_rows(const float* const* lines, size_t pitch, int count, const WindowWeights& window,
                float* const* flow, int rows) {
  HWY_DYNAMIC_DISPATCH(SolveRows)(lines, pitch, count, window, flow, rows);
}

void resample_flow_row(const float* const* coarse_rows, int coarse_width, const ResampleAxis& x,
                       const ResampleAxis& y, int row, float gain, float* scratch, float* flow) {
  HWY_DYNAMIC_DISPATCH(ResampleFlowRow)(coarse_rows, coarse_width, x, y, row, gain, scratch, flow);
}

}  // namespace vantage::flow
#endif
