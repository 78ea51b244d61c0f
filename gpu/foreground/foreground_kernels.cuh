// The kernels of the CUDA running Gaussian: one thread a 2x2 block, that is up to four luma samples and one
// of each chroma. Operations and their order are those of core/foreground/gaussian_pixel.h, compiled without
// fused multiply-add, so that the bits are the CPU's.
#pragma once

#include "core/foreground/gaussian_pixel.h"
#include "core/image/image_view.h"
#include "gpu/runtime/block_sum.cuh"

namespace vantage::gpu {

constexpr int kForegroundThreads = 256;

// The six planes in device memory. Luma rows are padded to an even number of samples, so that pairs are
// aligned.
struct GaussianPlanes {
  float* luma_mean;
  float* luma_variance;
  float* chroma_mean[2];  // Cb, Cr
  float* chroma_variance[2];
  int width, height;
  int luma_pitch, chroma_pitch;  // in samples
};

struct PictureSamples {
  ImageView<const uint8_t> luma;
  const uint8_t* chroma[2];  // Cb, Cr
  size_t chroma_stride_bytes;
  int chroma_step;  // 1 planar, 2 interleaved
};

struct BlockPosition {
  int x, y;  // of the chroma sample
  bool inside;
};

__device__ inline BlockPosition block_position(const GaussianPlanes& model) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), y = static_cast<int>(blockIdx.y);
  return {x, y, 2 * x < model.width};
}

// The one or two luma samples of a row; a missing right one is 0.
__device__ inline uchar2 load_pair(const uint8_t* row, int x, bool both) {
  if (both) return __ldg(reinterpret_cast<const uchar2*>(row + x));
  return make_uchar2(__ldg(row + x), 0);
}

__device__ inline void store_pair(uint8_t* row, int x, bool both, uchar2 value) {
  if (both) {
    *reinterpret_cast<uchar2*>(row + x) = value;
  } else {
    row[x] = value.x;
  }
}

__device__ inline float chroma_sample(const PictureSamples& picture, int component, int x, int y) {
  const uint8_t* row = picture.chroma[component] + static_cast<size_t>(y) * picture.chroma_stride_bytes;
  return static_cast<float>(__ldg(row + static_cast<size_t>(x) * picture.chroma_step));
}

__global__ void __launch_bounds__(kForegroundThreads)
    gaussian_learn(const GaussianPlanes model, const PictureSamples picture, float share) {
  const BlockPosition block = block_position(model);
  if (!block.inside) return;
  const int x = 2 * block.x;
  const bool both = x + 1 < model.width;
  for (int y = 2 * block.y; y < min(2 * block.y + 2, model.height); ++y) {
    const uchar2 value = load_pair(picture.luma.row(y), x, both);
    const size_t at = static_cast<size_t>(y) * model.luma_pitch + x;
    float2* mean = reinterpret_cast<float2*>(model.luma_mean + at);
    float2* variance = reinterpret_cast<float2*>(model.luma_variance + at);
    const float2 m = *mean, v = *variance;
    const Gaussian left = learn_sample({m.x, v.x}, static_cast<float>(value.x), share);
    const Gaussian right = learn_sample({m.y, v.y}, static_cast<float>(value.y), share);
    *mean = make_float2(left.mean, right.mean);
    *variance = make_float2(left.variance, right.variance);
  }
  const size_t at = static_cast<size_t>(block.y) * model.chroma_pitch + block.x;
#pragma unroll
  for (int c = 0; c < 2; ++c) {
    const Gaussian g = learn_sample({model.chroma_mean[c][at], model.chroma_variance[c][at]},
                                    chroma_sample(picture, c, block.x, block.y), share);
    model.chroma_mean[c][at] = g.mean;
    model.chroma_variance[c][at] = g.variance;
  }
}

// One luma sample: indicator, and the model where it is background. Returns whether it is foreground.
__device__ inline bool segment_sample(const GaussianSettings& settings, float chroma, uint8_t sample,
                                      float* mean, float* variance, uint8_t* level) {
  const Gaussian g{*mean, *variance};
  const auto value = static_cast<float>(sample);
  *level = indicator_level(squared_distance(g, value, settings.min_variance), chroma, settings);
  if (is_foreground(*level)) return true;
  const Gaussian updated = update_sample(g, value, settings.learning_rate);
  *mean = updated.mean;
  *variance = updated.variance;
  return false;
}

__global__ void __launch_bounds__(kForegroundThreads)
    gaussian_segment(const GaussianPlanes model, const PictureSamples picture,
                     const GaussianSettings settings, const ImageView<uint8_t> indicator,
                     const ImageView<uint8_t> mask, unsigned long long* count) {
  const BlockPosition block = block_position(model);
  unsigned foreground = 0;
  if (block.inside) {
    const size_t chroma_at = static_cast<size_t>(block.y) * model.chroma_pitch + block.x;
    Gaussian g[2];
    float value[2], squared[2];
#pragma unroll
    for (int c = 0; c < 2; ++c) {
      g[c] = {model.chroma_mean[c][chroma_at], model.chroma_variance[c][chroma_at]};
      value[c] = chroma_sample(picture, c, block.x, block.y);
      squared[c] = squared_distance(g[c], value[c], settings.min_variance);
    }
    const float chroma = chroma_distance(squared[0], squared[1], settings.chroma_weight);
    const int x = 2 * block.x;
    const bool both = x + 1 < model.width;
    for (int y = 2 * block.y; y < min(2 * block.y + 2, model.height); ++y) {
      const uchar2 sample = load_pair(picture.luma.row(y), x, both);
      const size_t at = static_cast<size_t>(y) * model.luma_pitch + x;
      float2* mean = reinterpret_cast<float2*>(model.luma_mean + at);
      float2* variance = reinterpret_cast<float2*>(model.luma_variance + at);
      float2 m = *mean, v = *variance;
      uchar2 level = make_uchar2(0, 0);
      const bool left = segment_sample(settings, chroma, sample.x, &m.x, &v.x, &level.x);
      const bool right = both && segment_sample(settings, chroma, sample.y, &m.y, &v.y, &level.y);
      *mean = m;
      *variance = v;
      store_pair(indicator.row(y), x, both, level);
      store_pair(mask.row(y), x, both, make_uchar2(left ? 255 : 0, right ? 255 : 0));
      foreground += static_cast<unsigned>(left) + static_cast<unsigned>(right);
    }
    if (foreground == 0) {
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        const Gaussian updated = update_sample(g[c], value[c], settings.learning_rate);
        model.chroma_mean[c][chroma_at] = updated.mean;
        model.chroma_variance[c][chroma_at] = updated.variance;
      }
    }
  }
  const unsigned sum = block_sum<kForegroundThreads>(foreground);
  if (threadIdx.x == 0 && sum > 0) atomicAdd(count, static_cast<unsigned long long>(sum));
}

}  // namespace vantage::gpu
