#include "core/foreground/gaussian_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/foreground/gaussian_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Plain loops over short blocks, which the compiler turns into vector code for each instruction set. The
// blocks' local arrays cannot alias the model, and every block is computed in full, so nothing has to be
// branched around.
HWY_BEFORE_NAMESPACE();
namespace vantage::foreground::HWY_NAMESPACE {

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

// Sums over pairs of neighbours, rows added in block_total()'s order. A missing right sample counts as 0.
void light_row(const LumaRows& rows, int width, float darkest_shadow, float* HWY_RESTRICT light) {
  const int count = (width + 1) / 2;
  for (int start = 0; start < count; start += kBlock) {
    const int n = count - start < kBlock ? count - start : kBlock;
    const int samples = width - 2 * start < 2 * n ? width - 2 * start : 2 * n;
    float values[2][2 * kBlock], means[2][2 * kBlock];
    for (int row = 0; row < 2; ++row) {
      const uint8_t* from = row ? rows.lower : rows.upper;
      const float* from_mean = row ? rows.lower_mean : rows.upper_mean;
      for (int i = 0; i < (from ? samples : 0); ++i) values[row][i] = static_cast<float>(from[2 * start + i]);
      for (int i = 0; i < (from ? samples : 0); ++i) means[row][i] = from_mean[2 * start + i];
      for (int i = from ? samples : 0; i < 2 * n; ++i) values[row][i] = means[row][i] = 0.0f;
    }
    for (int i = 0; i < n; ++i)
      light[start + i] = block_light(
          block_total(values[0][2 * i], values[0][2 * i + 1], values[1][2 * i], values[1][2 * i + 1]),
          block_total(means[0][2 * i], means[0][2 * i + 1], means[1][2 * i], means[1][2 * i + 1]),
          darkest_shadow);
  }
}

void chroma_row(const uint8_t* cb, const uint8_t* cr, int step, int count, const GaussianSettings& settings,
                GaussianRow model_cb, GaussianRow model_cr, const float* light, float* HWY_RESTRICT chroma) {
  const GaussianSettings s = settings;
  for (int start = 0; start < count; start += kBlock) {
    const int n = count - start < kBlock ? count - start : kBlock;
    float values_cb[kBlock], values_cr[kBlock];
    load_block(cb + start * step, step, n, values_cb);
    load_block(cr + start * step, step, n, values_cr);
    for (int i = 0; i < n; ++i) {
      const int x = start + i;
      const Gaussian b{model_cb.mean[x], model_cb.variance[x]}, r{model_cr.mean[x], model_cr.variance[x]};
      chroma[x] = chroma_distance(chroma_component_distance(b, values_cb[i], light[x], s.min_variance),
                                  chroma_component_distance(r, values_cr[i], light[x], s.min_variance),
                                  s.chroma_weight);
    }
  }
}

void vote_row(const uint8_t* samples, int width, const float* light, const float* chroma,
              const GaussianSettings& settings, GaussianRow model, uint8_t* HWY_RESTRICT votes) {
  const GaussianSettings s = settings;
  for (int start = 0; start < width; start += kBlock) {
    const int n = width - start < kBlock ? width - start : kBlock;
    float values[kBlock], block_lights[kBlock], weighted_chroma[kBlock];
    load_block(samples + start, 1, n, values);
    for (int i = 0; i < n; ++i) block_lights[i] = light[(start + i) / 2];
    for (int i = 0; i < n; ++i) weighted_chroma[i] = chroma[(start + i) / 2];
    const float* mean = model.mean + start;
    const float* variance = model.variance + start;
    int32_t levels[kBlock];
    for (int i = 0; i < n; ++i)
      levels[i] =
          indicator_level(luma_distance({mean[i], variance[i]}, values[i], block_lights[i], s.min_variance),
                          weighted_chroma[i], s);
    for (int i = 0; i < n; ++i) votes[start + i] = static_cast<uint8_t>(levels[i]);
  }
}

int64_t mask_row(const uint8_t* indicator, int width, uint8_t* HWY_RESTRICT mask) {
  int64_t count = 0;
  for (int start = 0; start < width; start += kBlock) {
    const int n = width - start < kBlock ? width - start : kBlock;
    uint8_t set = 0;  // at most kBlock
    for (int i = 0; i < n; ++i) mask[start + i] = is_foreground(indicator[start + i]) ? 255 : 0;
    for (int i = 0; i < n; ++i) set = static_cast<uint8_t>(set + mask[start + i] / 255);
    count += set;
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

void update_luma_row(const uint8_t* samples, int width, const uint8_t* mask, const GaussianSettings& settings,
                     GaussianRow model) {
  const GaussianSettings s = settings;
  for (int start = 0; start < width; start += kBlock) {
    const int n = width - start < kBlock ? width - start : kBlock;
    float values[kBlock];
    int32_t foreground[kBlock];
    load_block(samples + start, 1, n, values);
    for (int i = 0; i < n; ++i) foreground[i] = mask[start + i];
    update_block(values, foreground, n, s, model.mean + start, model.variance + start);
  }
}

void update_chroma_row(const uint8_t* samples, int step, int width, const uint8_t* upper_mask,
                       const uint8_t* lower_mask, const GaussianSettings& settings, GaussianRow model) {
  const GaussianSettings s = settings;
  const int count = (width + 1) / 2;
  for (int start = 0; start < count; start += kBlock) {
    const int n = count - start < kBlock ? count - start : kBlock;
    float values[kBlock];
    int32_t foreground[kBlock];
    load_block(samples + start * step, step, n, values);
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
  for (int x = 0; x < width; ++x) out[x] = rows[0][x];
  for (int k = 1; k < count; ++k) {
    const uint8_t* HWY_RESTRICT row = rows[k];
    for (int x = 0; x < width; ++x) out[x] = choose(out[x], row[x]);
  }
}

uint8_t smaller(uint8_t a, uint8_t b) {
  return a < b ? a : b;
}
uint8_t larger(uint8_t a, uint8_t b) {
  return a > b ? a : b;
}

void extreme_of_rows(const uint8_t* const* rows, int count, int width, bool maximum, uint8_t* out) {
  if (maximum)
    choose_of_rows(
        rows, count, width, [](uint8_t a, uint8_t b) { return larger(a, b); }, out);
  else
    choose_of_rows(
        rows, count, width, [](uint8_t a, uint8_t b) { return smaller(a, b); }, out);
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
HWY_EXPORT(light_row);
HWY_EXPORT(chroma_row);
HWY_EXPORT(vote_row);
HWY_EXPORT(mask_row);
HWY_EXPORT(update_luma_row);
HWY_EXPORT(update_chroma_row);
HWY_EXPORT(extreme_of_rows);
HWY_EXPORT(extreme_along_row);

void learn_row(const uint8_t* samples, int step, int count, float share, GaussianRow model) {
  HWY_DYNAMIC_DISPATCH(learn_row)(samples, step, count, share, model);
}

void light_row(const LumaRows& rows, int width, float darkest_shadow, float* light) {
  HWY_DYNAMIC_DISPATCH(light_row)(rows, width, darkest_shadow, light);
}

void chroma_row(const uint8_t* cb, const uint8_t* cr, int step, int count, const GaussianSettings& settings,
                GaussianRow model_cb, GaussianRow model_cr, const float* light, float* chroma) {
  HWY_DYNAMIC_DISPATCH(chroma_row)(cb, cr, step, count, settings, model_cb, model_cr, light, chroma);
}

void vote_row(const uint8_t* samples, int width, const float* light, const float* chroma,
              const GaussianSettings& settings, GaussianRow model, uint8_t* votes) {
  HWY_DYNAMIC_DISPATCH(vote_row)(samples, width, light, chroma, settings, model, votes);
}

int64_t mask_row(const uint8_t* indicator, int width, uint8_t* mask) {
  return HWY_DYNAMIC_DISPATCH(mask_row)(indicator, width, mask);
}

void update_luma_row(const uint8_t* samples, int width, const uint8_t* mask, const GaussianSettings& settings,
                     GaussianRow model) {
  HWY_DYNAMIC_DISPATCH(update_luma_row)(samples, width, mask, settings, model);
}

void update_chroma_row(const uint8_t* samples, int step, int width, const uint8_t* upper_mask,
                       const uint8_t* lower_mask, const GaussianSettings& settings, GaussianRow model) {
  HWY_DYNAMIC_DISPATCH(update_chroma_row)(samples, step, width, upper_mask, lower_mask, settings, model);
}

void extreme_of_rows(const uint8_t* const* rows, int count, int width, bool maximum, uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(extreme_of_rows)(rows, count, width, maximum, out);
}

void extreme_along_row(const uint8_t* in, int width, int radius, bool maximum, uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(extreme_along_row)(in, width, radius, maximum, out);
}

}  // namespace vantage::foreground
#endif
