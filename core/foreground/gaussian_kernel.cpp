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

int64_t segment_luma_row(const uint8_t* samples, int width, const float* chroma,
                         const GaussianSettings& settings, GaussianRow model, uint8_t* indicator,
                         uint8_t* mask) {
  const GaussianSettings s = settings;
  int64_t count = 0;
  for (int start = 0; start < width; start += kBlock) {
    const int n = width - start < kBlock ? width - start : kBlock;
    float values[kBlock], weighted_chroma[kBlock];
    load_block(samples + start, 1, n, values);
    for (int i = 0; i < n; ++i) weighted_chroma[i] = chroma[(start + i) / 2];
    float* HWY_RESTRICT mean = model.mean + start;
    float* HWY_RESTRICT variance = model.variance + start;
    int32_t levels[kBlock], set[kBlock], foreground = 0;
    for (int i = 0; i < n; ++i)
      levels[i] = indicator_level(squared_distance({mean[i], variance[i]}, values[i], s.min_variance),
                                  weighted_chroma[i], s);
    for (int i = 0; i < n; ++i) set[i] = is_foreground(static_cast<uint8_t>(levels[i])) ? -1 : 0;
    for (int i = 0; i < n; ++i) foreground -= set[i];
    for (int i = 0; i < n; ++i) {
      const Gaussian updated = update_sample({mean[i], variance[i]}, values[i], s.learning_rate);
      mean[i] = set[i] ? mean[i] : updated.mean;
      variance[i] = set[i] ? variance[i] : updated.variance;
    }
    for (int i = 0; i < n; ++i) indicator[start + i] = static_cast<uint8_t>(levels[i]);
    for (int i = 0; i < n; ++i) mask[start + i] = static_cast<uint8_t>(set[i]);
    count += foreground;
  }
  return count;
}

void chroma_row(const uint8_t* cb, const uint8_t* cr, int step, int count, const GaussianSettings& settings,
                GaussianRow model_cb, GaussianRow model_cr, float* HWY_RESTRICT chroma) {
  const GaussianSettings s = settings;
  for (int start = 0; start < count; start += kBlock) {
    const int n = count - start < kBlock ? count - start : kBlock;
    float values_cb[kBlock], values_cr[kBlock];
    load_block(cb + start * step, step, n, values_cb);
    load_block(cr + start * step, step, n, values_cr);
    for (int i = 0; i < n; ++i) {
      const int x = start + i;
      const Gaussian b{model_cb.mean[x], model_cb.variance[x]}, r{model_cr.mean[x], model_cr.variance[x]};
      chroma[x] = chroma_distance(squared_distance(b, values_cb[i], s.min_variance),
                                  squared_distance(r, values_cr[i], s.min_variance), s.chroma_weight);
    }
  }
}

void update_chroma_row(const uint8_t* samples, int step, int width, const uint8_t* upper_mask,
                       const uint8_t* lower_mask, float learning_rate, GaussianRow model) {
  const int count = (width + 1) / 2;
  for (int start = 0; start < count; start += kBlock) {
    const int n = count - start < kBlock ? count - start : kBlock;
    float values[kBlock];
    int32_t block_mask[kBlock];
    load_block(samples + start * step, step, n, values);
    const int pairs = width / 2 - start < n ? width / 2 - start : n;
    const uint8_t* upper = upper_mask + 2 * start;
    const uint8_t* lower = lower_mask + 2 * start;
    for (int i = 0; i < pairs; ++i)
      block_mask[i] = upper[2 * i] | upper[2 * i + 1] | lower[2 * i] | lower[2 * i + 1];
    if (pairs < n) block_mask[pairs] = upper[2 * pairs] | lower[2 * pairs];  // an odd right border
    float* HWY_RESTRICT mean = model.mean + start;
    float* HWY_RESTRICT variance = model.variance + start;
    for (int i = 0; i < n; ++i) {
      const Gaussian g{mean[i], variance[i]};
      const Gaussian updated = update_sample(g, values[i], learning_rate);
      mean[i] = block_mask[i] ? g.mean : updated.mean;
      variance[i] = block_mask[i] ? g.variance : updated.variance;
    }
  }
}

}  // namespace vantage::foreground::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vantage::foreground {

HWY_EXPORT(learn_row);
HWY_EXPORT(segment_luma_row);
HWY_EXPORT(chroma_row);
HWY_EXPORT(update_chroma_row);

void learn_row(const uint8_t* samples, int step, int count, float share, GaussianRow model) {
  HWY_DYNAMIC_DISPATCH(learn_row)(samples, step, count, share, model);
}

int64_t segment_luma_row(const uint8_t* samples, int width, const float* chroma,
                         const GaussianSettings& settings, GaussianRow model, uint8_t* indicator,
                         uint8_t* mask) {
  return HWY_DYNAMIC_DISPATCH(segment_luma_row)(samples, width, chroma, settings, model, indicator, mask);
}

void chroma_row(const uint8_t* cb, const uint8_t* cr, int step, int count, const GaussianSettings& settings,
                GaussianRow model_cb, GaussianRow model_cr, float* chroma) {
  HWY_DYNAMIC_DISPATCH(chroma_row)(cb, cr, step, count, settings, model_cb, model_cr, chroma);
}

void update_chroma_row(const uint8_t* samples, int step, int width, const uint8_t* upper_mask,
                       const uint8_t* lower_mask, float learning_rate, GaussianRow model) {
  HWY_DYNAMIC_DISPATCH(update_chroma_row)(samples, step, width, upper_mask, lower_mask, learning_rate, model);
}

}  // namespace vantage::foreground
#endif
