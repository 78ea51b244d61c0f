#include "core/foreground/gaussian_kernel.h"

#include "core/base/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/foreground/gaussian_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Plain loops over short blocks, which the compiler turns into vector code for each instruction set. The
// blocks' local arrays cannot alias the model, and every block is computed in full, so nothing has to be
// branched around. Highway where the compiler does not see it.
HWY_BEFORE_NAMESPACE();
namespace vantage::foreground::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Bytes = hn::ScalableTag<uint8_t>;
using Floats = hn::ScalableTag<float>;

constexpr int kBlock = 64;

// Levels as float, whatever their spacing; beyond `count` the rest of the block is 0.
void load_block(const uint8_t* samples, int step, int count, float* values) {
  if (count == kBlock && step == 1) {
    for (int i = 0; i < kBlock; ++i) values[i] = static_cast<float>(samples[i]);
  } else if (count == kBlock && step == 2) {
    for (int i = 0; i < kBlock; ++i) values[i] = static_cast<float>(samples[2 * i]);
  } else {
    for (int i = 0; i < count; ++i) values[i] = static_cast<float>(samples[step * i]);
  }
}

void learn_row(const uint8_t* samples, int step, int count, float share, GaussianRow model) {
  for (int start = 0; start < count; start += kBlock) {
    const int n = count - start < kBlock ? count - start : kBlock;
    float values[kBlock];
    load_block(samples + start * step, step, n, values);
    float* HWY_RESTRICT mean = model.mean + start;
    float* HWY_RESTRICT variance = model.variance + start;
    for (int i = 0; i < n; ++i) {
      const Gaussian g = learn_sample({mean[i], variance[i]}, values[i], share);
      mean[i] = g.mean;
      variance[i] = g.variance;
    }
  }
}

// The smallest and largest of three rows over a block and one sample either side; the border repeats.
HWY_INLINE void extremes_of_rows(const Neighbours& rows, int start, int n, int count, float* HWY_RESTRICT low,
                                 float* HWY_RESTRICT high) {
  const auto at = [&](int x, int to) {
    const float a = rows.above[x], b = rows.row[x], c = rows.below[x];
    const float ab_low = a < b ? a : b, ab_high = a > b ? a : b;
    low[to] = ab_low < c ? ab_low : c;
    high[to] = ab_high > c ? ab_high : c;
  };
  for (int i = 0; i < n; ++i) at(start + i, i + 1);
  at(start > 0 ? start - 1 : 0, 0);
  at(start + n < count ? start + n : count - 1, n + 1);
}
HWY_INLINE float smallest_of(const float* at) {
  const float a = at[0] < at[1] ? at[0] : at[1];
  return a < at[2] ? a : at[2];
}
HWY_INLINE float largest_of(const float* at) {
  const float a = at[0] > at[1] ? at[0] : at[1];
  return a > at[2] ? a : at[2];
}

void interval_row(Neighbours mean, int count, float displacement, float* HWY_RESTRICT low,
                  float* HWY_RESTRICT high) {
  for (int start = 0; start < count; start += kBlock) {
    const int n = count - start < kBlock ? count - start : kBlock;
    float smallest[kBlock + 2], largest[kBlock + 2];
    extremes_of_rows(mean, start, n, count, smallest, largest);
    const float* row = mean.row + start;
    for (int i = 0; i < n; ++i) {
      const Interval scene =
          displaced(row[i], smallest_of(smallest + i), largest_of(largest + i), displacement);
      low[start + i] = scene.low;
      high[start + i] = scene.high;
    }
  }
}

// Values and means above black of a pair of rows, by row; what is missing is 0.
struct RowPair {
  float values[2][2 * kBlock], means[2][2 * kBlock];
};
HWY_INLINE void load_pair(const LumaRows& rows, int width, float black, int start, int n, RowPair* to) {
  const int samples = width - 2 * start < 2 * n ? width - 2 * start : 2 * n;
  for (int row = 0; row < 2; ++row) {
    const uint8_t* from = row ? rows.lower : rows.upper;
    const float* from_mean = row ? rows.lower_mean : rows.upper_mean;
    const int present = from ? samples : 0;
    for (int i = 0; i < present; ++i) to->values[row][i] = static_cast<float>(from[2 * start + i]) - black;
    for (int i = 0; i < present; ++i) to->means[row][i] = from_mean[2 * start + i] - black;
    for (int i = present; i < 2 * n; ++i) to->values[row][i] = to->means[row][i] = 0.0f;
  }
}

// Sums over pairs of neighbours, rows added in block_total()'s order.
void light_row(const LumaRows& rows, int width, const FrameLight& frame, float* HWY_RESTRICT luma,
               float* HWY_RESTRICT light, float* HWY_RESTRICT difference) {
  const FrameLight f = frame;
  const int count = (width + 1) / 2;
  const float share = rows.lower ? 0.25f : 0.5f;
  for (int start = 0; start < count; start += kBlock) {
    const int n = count - start < kBlock ? count - start : kBlock;
    RowPair p;
    load_pair(rows, width, f.black, start, n, &p);
    for (int i = 0; i < n; ++i) {
      const float values =
          block_total(p.values[0][2 * i], p.values[0][2 * i + 1], p.values[1][2 * i], p.values[1][2 * i + 1]);
      const float means =
          block_total(p.means[0][2 * i], p.means[0][2 * i + 1], p.means[1][2 * i], p.means[1][2 * i + 1]);
      luma[start + i] = values * share;
      light[start + i] = block_light(values, means, f);
      difference[start + i] = block_difference(values, means, share, f);
    }
  }
  if (width % 2) luma[count - 1] *= 2, difference[count - 1] *= 2;  // half as many samples, exactly
}

// A block of one chroma component in its histogram.
HWY_INLINE void count_balance(float luma, float mean_luma, float chroma, float mean_chroma,
                              float inverse_share, uint32_t* HWY_RESTRICT histogram) {
  const int bin = balance_bin(luma, chroma - 128.0f, mean_luma, mean_chroma - 128.0f, inverse_share);
  if (bin >= 0) ++histogram[bin];
}

void count_light(const LumaRows& rows, const ChromaSamples& chroma, const float* mean_cb,
                 const float* mean_cr, int width, float black, uint32_t* HWY_RESTRICT histograms) {
  for (int start = 0; start < width / 2; start += kBlock) {
    const int n = width / 2 - start < kBlock ? width / 2 - start : kBlock;
    RowPair p;
    load_pair(rows, width, black, start, n, &p);
    for (int i = 0; i < n; i += kLightSpacing) {
      const float values =
          block_total(p.values[0][2 * i], p.values[0][2 * i + 1], p.values[1][2 * i], p.values[1][2 * i + 1]);
      const float means =
          block_total(p.means[0][2 * i], p.means[0][2 * i + 1], p.means[1][2 * i], p.means[1][2 * i + 1]);
      const int bin = light_bin(values, means);
      if (bin < 0) continue;
      ++histograms[kBrightness * kLightBins + bin];
      const int x = start + i;
      count_balance(0.25f * values, 0.25f * means, chroma.cb[x * chroma.step], mean_cb[x], 1.0f / kBlueShare,
                    histograms + kBlue * kLightBins);
      count_balance(0.25f * values, 0.25f * means, chroma.cr[x * chroma.step], mean_cr[x], 1.0f / kRedShare,
                    histograms + kRed * kLightBins);
    }
  }
}

// The chroma of a block of the scene in light k, and what a sample lies outside of it.
HWY_INLINE float chroma_beyond(float value, const SceneRow& scene, int x, float k) {
  return beyond(value, {scene.low[x], scene.high[x]}, 128.0f, {k, k});
}

// Differences of n chroma samples from `start` on, in the scene's white balance.
HWY_INLINE void balanced_differences(const float* values_cb, const float* values_cr, int start, int n,
                                     const FrameLight& f, const SceneRow& scene_cb, const SceneRow& scene_cr,
                                     const BlockRow& row, float* HWY_RESTRICT cb, float* HWY_RESTRICT cr) {
  const float *light = row.light + start, *luma = row.luma + start;
  for (int i = 0; i < n; ++i) {
    const int x = start + i;
    const float k = light[i];
    const bool clipped = near_white(luma[i], values_cb[i], values_cr[i]);
    cb[i] = balanced_difference(chroma_beyond(balanced(values_cb[i], luma[i], f.balance[0]), scene_cb, x, k),
                                chroma_beyond(values_cb[i], scene_cb, x, k), clipped);
    cr[i] = balanced_difference(chroma_beyond(balanced(values_cr[i], luma[i], f.balance[1]), scene_cr, x, k),
                                chroma_beyond(values_cr[i], scene_cr, x, k), clipped);
  }
}

// The samples from `x` on, as many as d has lanes: without_shade() of their differences, chroma_distance().
template <typename D>
HWY_INLINE void unshaded_distances(D d, const float* cb, const float* cr, int x, const GaussianSettings& s,
                                   const float* variance_cb, const float* variance_cr, const BlockRow& row) {
  const auto zero = hn::Zero(d), shade_cb = hn::Set(d, s.shade_cb), shade_cr = hn::Set(d, s.shade_cr);
  const auto own_cb = hn::LoadU(d, cb), own_cr = hn::LoadU(d, cr);
  const auto difference = hn::LoadU(d, row.difference + x);
  const auto taken = hn::IfThenElseZero(hn::Lt(difference, zero), hn::Neg(difference));
  const auto along =
      hn::Mul(hn::Add(hn::Mul(own_cb, shade_cb), hn::Mul(own_cr, shade_cr)), hn::Set(d, s.shade_inverse));
  const auto positive = hn::IfThenElseZero(hn::Gt(along, zero), along);
  const auto explained = hn::IfThenElse(hn::Lt(positive, taken), positive, taken);
  const auto rest_cb = hn::Sub(own_cb, hn::Mul(explained, shade_cb)),
             rest_cr = hn::Sub(own_cr, hn::Mul(explained, shade_cr));
  hn::StoreU(rest_cb, d, row.cb + x);
  hn::StoreU(rest_cr, d, row.cr + x);
  const auto min_variance = hn::Set(d, s.min_variance);
  const auto variances = [&](auto rest, const float* variance) HWY_ATTR {
    const auto own = hn::LoadU(d, variance + x);
    return hn::Div(hn::Mul(rest, rest), hn::IfThenElse(hn::Gt(own, min_variance), own, min_variance));
  };
  const auto sum = hn::Add(variances(rest_cb, variance_cb), variances(rest_cr, variance_cr));
  hn::StoreU(hn::Sqrt(hn::Mul(hn::Set(d, s.chroma_weight), sum)), d, row.chroma + x);
}

void chroma_row(const ChromaSamples& samples, int count, const FrameLight& frame,
                const GaussianSettings& settings, SceneRow scene_cb, SceneRow scene_cr, BlockRow row) {
  const GaussianSettings s = settings;
  const FrameLight f = frame;
  const bool balance = !keeps_balance(f);
  const float* light = row.light;
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int start = 0; start < count; start += kBlock) {
    const int n = count - start < kBlock ? count - start : kBlock;
    float values_cb[kBlock], values_cr[kBlock], cb[kBlock], cr[kBlock];
    load_block(samples.cb + start * samples.step, samples.step, n, values_cb);
    load_block(samples.cr + start * samples.step, samples.step, n, values_cr);
    if (balance) {
      balanced_differences(values_cb, values_cr, start, n, f, scene_cb, scene_cr, row, cb, cr);
    } else {
      for (int i = 0; i < n; ++i) {
        const int x = start + i;
        cb[i] = chroma_beyond(values_cb[i], scene_cb, x, light[x]);
        cr[i] = chroma_beyond(values_cr[i], scene_cr, x, light[x]);
      }
    }
    int i = 0;
    for (; i + lanes <= n; i += lanes)
      unshaded_distances(d, cb + i, cr + i, start + i, s, scene_cb.variance, scene_cr.variance, row);
    for (; i < n; ++i)
      unshaded_distances(hn::CappedTag<float, 1>(), cb + i, cr + i, start + i, s, scene_cb.variance,
                         scene_cr.variance, row);
  }
}

// Most blocks of a picture lie in full light, and blocks of 64 of them cost one look each.
HWY_INLINE bool any_shaded(const float* light, int n, const FrameLight& frame) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto inverse_gain = hn::Set(d, frame.inverse_gain), begins = hn::Set(d, kShadeBegins);
  auto shaded = hn::Lt(begins, begins);
  int i = 0;
  for (; i + lanes <= n; i += lanes)
    shaded = hn::Or(shaded, hn::Lt(hn::Mul(hn::LoadU(d, light + i), inverse_gain), begins));
  bool any = !hn::AllFalse(d, shaded);
  for (; i < n; ++i) any |= shade_of(light[i], frame) > 0.0f;
  return any;
}

// The blocks from `start` on, as many as d has lanes: plus_chroma() of the blocks around, shaded_distance().
template <typename D>
HWY_INLINE void shade_blocks(D d, const BlockRow* const* rows, int start, const FrameLight& frame,
                             const GaussianSettings& settings) {
  const auto one = hn::Set(d, 1.0f), zero = hn::Zero(d);
  const auto own = hn::LoadU(d, rows[1]->difference + start);
  auto cb = zero, cr = zero, weight = zero;
  for (int row = 0; row < 3; ++row)
    for (int u = start - 1; u <= start + 1; ++u) {
      const auto apart = hn::Sub(own, hn::LoadU(d, rows[row]->difference + u));
      const auto share = hn::Div(one, hn::Add(one, hn::Mul(hn::Mul(apart, apart), hn::Set(d, kSimilarity))));
      cb = hn::Add(cb, hn::Mul(share, hn::LoadU(d, rows[row]->cb + u)));
      cr = hn::Add(cr, hn::Mul(share, hn::LoadU(d, rows[row]->cr + u)));
      weight = hn::Add(weight, share);
    }
  cb = hn::Div(cb, weight), cr = hn::Div(cr, weight);
  const auto square = hn::Add(hn::Mul(cb, cb), hn::Mul(cr, cr));
  const auto light = hn::Mul(hn::LoadU(d, rows[1]->light + start), hn::Set(d, frame.inverse_gain));
  const auto slope = hn::Mul(hn::Sub(hn::Set(d, kShadeBegins), light), hn::Set(d, kShadeSlope));
  const auto positive = hn::IfThenElseZero(hn::Gt(slope, zero), slope);
  const auto shade = hn::IfThenElse(hn::Lt(positive, one), positive, one);
  const auto shaded = hn::Mul(shade, hn::Sqrt(hn::Mul(hn::Set(d, settings.shaded_weight), square)));
  float* const chroma = rows[1]->chroma + start;
  const auto before = hn::LoadU(d, chroma);
  hn::StoreU(hn::IfThenElse(hn::Gt(shaded, before), shaded, before), d, chroma);
}

void shade_row(const BlockRow& above, const BlockRow& row, const BlockRow& below, int count,
               const FrameLight& frame, const GaussianSettings& settings) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const BlockRow* const rows[3] = {&above, &row, &below};
  for (int start = 0; start < count; start += kBlock) {
    const int end = start + kBlock < count ? start + kBlock : count;
    if (!any_shaded(row.light + start, end - start, frame)) continue;
    int x = start;
    for (; x + lanes <= end; x += lanes) shade_blocks(d, rows, x, frame, settings);
    for (; x < end; ++x) shade_blocks(hn::CappedTag<float, 1>(), rows, x, frame, settings);
  }
}

// A chroma row at a block's luma samples: each sample's own value and the next nearer one.
struct Spread {
  float own[kBlock], next[kBlock];
};
HWY_INLINE void spread(const float* row, int n, Spread* to) {
  for (int i = 0; i < (n + 1) / 2; ++i) {
    to->own[2 * i] = to->own[2 * i + 1] = row[i];
    to->next[2 * i] = row[i - 1];
    to->next[2 * i + 1] = row[i + 1];
  }
}

void distance_row(const uint8_t* samples, int width, const float* mean, SceneRow scene, const float* light,
                  const ChromaRows& chroma, const FrameLight& frame, const GaussianSettings& settings,
                  float* HWY_RESTRICT distance) {
  const GaussianSettings s = settings;
  const FrameLight f = frame;
  for (int start = 0; start < width; start += kBlock) {
    const int n = width - start < kBlock ? width - start : kBlock;
    float values[kBlock], k[kBlock];
    load_block(samples + start, 1, n, values);
    for (int i = 0; i < (n + 1) / 2; ++i) k[2 * i] = k[2 * i + 1] = light[start / 2 + i];
    Spread own_distance, own_difference, next_distance, next_difference;
    spread(chroma.own_distance + start / 2, n, &own_distance);
    spread(chroma.own_difference + start / 2, n, &own_difference);
    spread(chroma.next_distance + start / 2, n, &next_distance);
    spread(chroma.next_difference + start / 2, n, &next_difference);
    for (int i = 0; i < n; ++i) {
      const int x = start + i;
      const float difference = block_difference(values[i] - f.black, mean[x] - f.black, 1.0f, f);
      const float c = chroma_at_pixel({own_distance.own[i], own_difference.own[i]},
                                      {own_distance.next[i], own_difference.next[i]},
                                      {next_distance.own[i], next_difference.own[i]},
                                      {next_distance.next[i], next_difference.next[i]}, difference);
      const float luma = beyond(values[i], {scene.low[x], scene.high[x]}, f.black, {k[i], f.gain});
      distance[x] = pixel_distance(in_variances(luma, scene.variance[x], s.min_variance), c);
    }
  }
}

void vote_row(Neighbours distance, int width, BlockLight blocks, const FrameLight& frame,
              const GaussianSettings& settings, uint8_t* HWY_RESTRICT votes) {
  const GaussianSettings s = settings;
  const FrameLight f = frame;
  for (int start = 0; start < width; start += kBlock) {
    const int n = width - start < kBlock ? width - start : kBlock;
    float smallest[kBlock + 2], largest[kBlock + 2];
    extremes_of_rows(distance, start, n, width, smallest, largest);
    const float* row = distance.row + start;
    int32_t levels[kBlock], lowest[kBlock];
    for (int i = 0; i < n; ++i)
      levels[i] = vote_level(sharpened(row[i], smallest_of(smallest + i), largest_of(largest + i), s), s);
    for (int i = 0; i < (n + 1) / 2; ++i)
      lowest[2 * i] = lowest[2 * i + 1] =
          undecided_level(blocks.luma[start / 2 + i], blocks.light[start / 2 + i], f, s);
    for (int i = 0; i < n; ++i)
      votes[start + i] = static_cast<uint8_t>(levels[i] > lowest[i] ? levels[i] : lowest[i]);
  }
}

int64_t mask_row(const uint8_t* indicator, int width, uint8_t* HWY_RESTRICT mask) {
  const Bytes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto below = hn::Set(d, 127);
  int64_t count = 0;
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    const auto set = hn::Gt(hn::LoadU(d, indicator + x), below);
    hn::StoreU(hn::VecFromMask(d, set), d, mask + x);
    count += static_cast<int64_t>(hn::CountTrue(d, set));
  }
  for (; x < width; ++x) {
    mask[x] = is_foreground(indicator[x]) ? 255 : 0;
    count += mask[x] / 255;
  }
  return count;
}

// The update of n samples, all of them computed both ways.
HWY_INLINE void update_block(const float* values, const int32_t* foreground, int n, const GaussianSettings& s,
                             float* HWY_RESTRICT mean, float* HWY_RESTRICT variance) {
  for (int i = 0; i < n; ++i) {
    const Gaussian g{mean[i], variance[i]};
    const Gaussian updated = update_sample(g, values[i], s.learning_rate);
    const Gaussian absorbed = absorb_sample(g, values[i], s.absorption_rate);
    mean[i] = foreground[i] ? absorbed.mean : updated.mean;
    variance[i] = foreground[i] ? absorbed.variance : updated.variance;
  }
}

void update_luma_row(const uint8_t* samples, int width, const uint8_t* mask, const FrameLight& frame,
                     const GaussianSettings& settings, GaussianRow model) {
  const GaussianSettings s = settings;
  const FrameLight f = frame;
  for (int start = 0; start < width; start += kBlock) {
    const int n = width - start < kBlock ? width - start : kBlock;
    float values[kBlock];
    int32_t foreground[kBlock];
    load_block(samples + start, 1, n, values);
    for (int i = 0; i < n; ++i) values[i] = in_learnt_light(values[i], f.black, f);
    for (int i = 0; i < n; ++i) foreground[i] = mask[start + i];
    update_block(values, foreground, n, s, model.mean + start, model.variance + start);
  }
}

void update_chroma_row(const uint8_t* samples, int step, int width, const float* luma, ChromaBalance balance,
                       const uint8_t* upper_mask, const uint8_t* lower_mask, const FrameLight& frame,
                       const GaussianSettings& settings, GaussianRow model) {
  const GaussianSettings s = settings;
  const FrameLight f = frame;
  const int count = (width + 1) / 2;
  for (int start = 0; start < count; start += kBlock) {
    const int n = count - start < kBlock ? count - start : kBlock;
    float values[kBlock];
    int32_t foreground[kBlock];
    load_block(samples + start * step, step, n, values);
    for (int i = 0; i < n; ++i)
      values[i] = in_learnt_light(balanced(values[i], luma[start + i], balance), 128.0f, f);
    const int pairs = width / 2 - start < n ? width / 2 - start : n;
    const uint8_t* upper = upper_mask + 2 * start;
    const uint8_t* lower = lower_mask + 2 * start;
    for (int i = 0; i < pairs; ++i)
      foreground[i] = upper[2 * i] | upper[2 * i + 1] | lower[2 * i] | lower[2 * i + 1];
    if (pairs < n) foreground[pairs] = upper[2 * pairs] | lower[2 * pairs];  // an odd right border
    update_block(values, foreground, n, s, model.mean + start, model.variance + start);
  }
}

template <typename Choose>
HWY_INLINE void choose_of_rows(const uint8_t* const* rows, int count, int width, const Choose& choose,
                               uint8_t* HWY_RESTRICT out) {
  const auto choose_at = [&](auto tag, int x) HWY_ATTR {
    auto chosen = hn::LoadU(tag, rows[0] + x);
    for (int k = 1; k < count; ++k) chosen = choose(chosen, hn::LoadU(tag, rows[k] + x));
    hn::StoreU(chosen, tag, out + x);
  };
  const Bytes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= width; x += lanes) choose_at(d, x);
  for (; x < width; ++x) choose_at(hn::CappedTag<uint8_t, 1>(), x);
}

void extreme_of_rows(const uint8_t* const* rows, int count, int width, bool maximum, uint8_t* out) {
  if (maximum)
    choose_of_rows(rows, count, width, [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); }, out);
  else
    choose_of_rows(rows, count, width, [](auto a, auto b) HWY_ATTR { return hn::Min(a, b); }, out);
}

// A row against itself, moved: the same loop over rows that start one sample apart.
void extreme_along_row(const uint8_t* in, int width, int radius, bool maximum, uint8_t* out) {
  const uint8_t* rows[4 * kMaxCleaningRadius + 1];
  for (int k = 0; k <= 2 * radius; ++k) rows[k] = in + k - radius;
  extreme_of_rows(rows, 2 * radius + 1, width, maximum, out);
}

}  // namespace vantage::foreground::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::foreground {

HWY_EXPORT(learn_row);
HWY_EXPORT(interval_row);
HWY_EXPORT(light_row);
HWY_EXPORT(count_light);
HWY_EXPORT(chroma_row);
HWY_EXPORT(shade_row);
HWY_EXPORT(distance_row);
HWY_EXPORT(vote_row);
HWY_EXPORT(mask_row);
HWY_EXPORT(update_luma_row);
HWY_EXPORT(update_chroma_row);
HWY_EXPORT(extreme_of_rows);
HWY_EXPORT(extreme_along_row);

void learn_row(const uint8_t* samples, int step, int count, float share, GaussianRow model) {
  HWY_DYNAMIC_DISPATCH(learn_row)(samples, step, count, share, model);
}

void interval_row(Neighbours mean, int count, float displacement, float* low, float* high) {
  HWY_DYNAMIC_DISPATCH(interval_row)(mean, count, displacement, low, high);
}

void light_row(const LumaRows& rows, int width, const FrameLight& frame, float* luma, float* light,
               float* difference) {
  HWY_DYNAMIC_DISPATCH(light_row)(rows, width, frame, luma, light, difference);
}

void count_light(const LumaRows& rows, const ChromaSamples& chroma, const float* mean_cb,
                 const float* mean_cr, int width, float black, uint32_t* histograms) {
  HWY_DYNAMIC_DISPATCH(count_light)(rows, chroma, mean_cb, mean_cr, width, black, histograms);
}

void chroma_row(const ChromaSamples& samples, int count, const FrameLight& frame,
                const GaussianSettings& settings, SceneRow scene_cb, SceneRow scene_cr, BlockRow row) {
  HWY_DYNAMIC_DISPATCH(chroma_row)(samples, count, frame, settings, scene_cb, scene_cr, row);
}

void shade_row(const BlockRow& above, const BlockRow& row, const BlockRow& below, int count,
               const FrameLight& frame, const GaussianSettings& settings) {
  HWY_DYNAMIC_DISPATCH(shade_row)(above, row, below, count, frame, settings);
}

void distance_row(const uint8_t* samples, int width, const float* mean, SceneRow scene, const float* light,
                  const ChromaRows& chroma, const FrameLight& frame, const GaussianSettings& settings,
                  float* distance) {
  HWY_DYNAMIC_DISPATCH(distance_row)
  (samples, width, mean, scene, light, chroma, frame, settings, distance);
}

void vote_row(Neighbours distance, int width, BlockLight blocks, const FrameLight& frame,
              const GaussianSettings& settings, uint8_t* votes) {
  HWY_DYNAMIC_DISPATCH(vote_row)(distance, width, blocks, frame, settings, votes);
}

int64_t mask_row(const uint8_t* indicator, int width, uint8_t* mask) {
  return HWY_DYNAMIC_DISPATCH(mask_row)(indicator, width, mask);
}

void update_luma_row(const uint8_t* samples, int width, const uint8_t* mask, const FrameLight& frame,
                     const GaussianSettings& settings, GaussianRow model) {
  HWY_DYNAMIC_DISPATCH(update_luma_row)(samples, width, mask, frame, settings, model);
}

void update_chroma_row(const uint8_t* samples, int step, int width, const float* luma, ChromaBalance balance,
                       const uint8_t* upper_mask, const uint8_t* lower_mask, const FrameLight& frame,
                       const GaussianSettings& settings, GaussianRow model) {
  HWY_DYNAMIC_DISPATCH(update_chroma_row)
  (samples, step, width, luma, balance, upper_mask, lower_mask, frame, settings, model);
}

void extreme_of_rows(const uint8_t* const* rows, int count, int width, bool maximum, uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(extreme_of_rows)(rows, count, width, maximum, out);
}

void extreme_along_row(const uint8_t* in, int width, int radius, bool maximum, uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(extreme_along_row)(in, width, radius, maximum, out);
}

}  // namespace vantage::foreground
#endif
