// The kernels of the CUDA foreground model. Votes and update: one thread a 2x2 block, that is up to four luma
// samples and one of each chroma. Cleaning: one thread a pixel. Operations and their order are those of
// core/foreground/gaussian_pixel.h, compiled without fused multiply-add, so that the bits are the CPU's.
#pragma once

#include "core/foreground/cleaning.h"
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

// The votes of one 2x2 block.
__global__ void __launch_bounds__(kForegroundThreads)
    gaussian_vote(const GaussianPlanes model, const PictureSamples picture, const GaussianSettings settings,
                  const ImageView<uint8_t> votes) {
  const BlockPosition block = block_position(model);
  if (!block.inside) return;
  const int x = 2 * block.x, top = 2 * block.y;
  const bool wide = x + 1 < model.width, high = top + 1 < model.height;
  float2 value[2] = {}, mean[2] = {}, variance[2] = {};
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    if (row == 1 && !high) break;
    const uchar2 sample = load_pair(picture.luma.row(top + row), x, wide);
    const size_t at = static_cast<size_t>(top + row) * model.luma_pitch + x;
    value[row] = make_float2(static_cast<float>(sample.x), static_cast<float>(sample.y));
    mean[row] = *reinterpret_cast<const float2*>(model.luma_mean + at);
    variance[row] = *reinterpret_cast<const float2*>(model.luma_variance + at);
    if (!wide) mean[row].y = 0.0f;
  }
  const float light =
      block_light(block_total(value[0].x, value[0].y, value[1].x, value[1].y),
                  block_total(mean[0].x, mean[0].y, mean[1].x, mean[1].y), settings.darkest_shadow);
  const size_t chroma_at = static_cast<size_t>(block.y) * model.chroma_pitch + block.x;
  float squared[2];
#pragma unroll
  for (int c = 0; c < 2; ++c)
    squared[c] =
        chroma_component_distance({model.chroma_mean[c][chroma_at], model.chroma_variance[c][chroma_at]},
                                  chroma_sample(picture, c, block.x, block.y), light, settings.min_variance);
  const float chroma = chroma_distance(squared[0], squared[1], settings.chroma_weight);
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    if (row == 1 && !high) break;
    const auto vote = [&](float sample, float m, float v) {
      return indicator_level(luma_distance({m, v}, sample, light, settings.min_variance), chroma, settings);
    };
    store_pair(votes.row(top + row), x, wide,
               make_uchar2(vote(value[row].x, mean[row].x, variance[row].x),
                           vote(value[row].y, mean[row].y, variance[row].y)));
  }
}

constexpr int kCleaningWidth = 32, kCleaningHeight = 16;  // pixels and threads of a block
constexpr int kCleaningRadius = 2 * kMaxCleaningRadius;

// The minimum or maximum over a square window that ends at the picture's border: along rows, then columns,
// of a tile in shared memory. Beyond the border stands what no minimum or maximum chooses.
__global__ void __launch_bounds__(kCleaningWidth* kCleaningHeight)
    window_extreme(const ImageView<const uint8_t> in, const CleaningStep step, const ImageView<uint8_t> out) {
  __shared__ uint8_t tile[kCleaningHeight + 2 * kCleaningRadius][kCleaningWidth + 2 * kCleaningRadius];
  __shared__ uint8_t along[kCleaningHeight + 2 * kCleaningRadius][kCleaningWidth];
  const int radius = step.radius;
  const int left = static_cast<int>(blockIdx.x) * kCleaningWidth,
            top = static_cast<int>(blockIdx.y) * kCleaningHeight;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int rows = kCleaningHeight + 2 * radius, columns = kCleaningWidth + 2 * radius;
  const auto choose = [&](int a, int b) { return step.maximum ? max(a, b) : min(a, b); };
  const int neutral = step.maximum ? 0 : 255;
  for (int v = ty; v < rows; v += kCleaningHeight)
    for (int u = tx; u < columns; u += kCleaningWidth) {
      const int x = left + u - radius, y = top + v - radius;
      const bool inside = x >= 0 && x < in.width && y >= 0 && y < in.height;
      tile[v][u] = static_cast<uint8_t>(inside ? static_cast<int>(in.at(x, y)) : neutral);
    }
  __syncthreads();
  for (int v = ty; v < rows; v += kCleaningHeight) {
    int chosen = neutral;
    for (int k = 0; k <= 2 * radius; ++k) chosen = choose(chosen, tile[v][tx + k]);
    along[v][tx] = static_cast<uint8_t>(chosen);
  }
  __syncthreads();
  const int x = left + tx, y = top + ty;
  if (x >= in.width || y >= in.height) return;
  int chosen = neutral;
  for (int k = 0; k <= 2 * radius; ++k) chosen = choose(chosen, along[ty + k][tx]);
  out.at(x, y) = static_cast<uint8_t>(chosen);
}

__device__ inline Gaussian moved_sample(Gaussian g, float value, bool foreground,
                                        const GaussianSettings& settings) {
  return foreground ? absorb_sample(g, value, settings.absorption_rate)
                    : update_sample(g, value, settings.learning_rate);
}

// The mask from the cleaned votes, its size, and the model's update.
__global__ void __launch_bounds__(kForegroundThreads)
    gaussian_update(const GaussianPlanes model, const PictureSamples picture, const GaussianSettings settings,
                    const ImageView<const uint8_t> indicator, const ImageView<uint8_t> mask,
                    unsigned long long* count) {
  const BlockPosition block = block_position(model);
  unsigned foreground = 0;
  if (block.inside) {
    const int x = 2 * block.x;
    const bool both = x + 1 < model.width;
    for (int y = 2 * block.y; y < min(2 * block.y + 2, model.height); ++y) {
      const uchar2 sample = load_pair(picture.luma.row(y), x, both);
      const uchar2 level = load_pair(indicator.row(y), x, both);
      const bool left = is_foreground(level.x), right = both && is_foreground(level.y);
      const size_t at = static_cast<size_t>(y) * model.luma_pitch + x;
      float2* mean = reinterpret_cast<float2*>(model.luma_mean + at);
      float2* variance = reinterpret_cast<float2*>(model.luma_variance + at);
      const float2 m = *mean, v = *variance;
      const Gaussian a = moved_sample({m.x, v.x}, static_cast<float>(sample.x), left, settings);
      const Gaussian b = moved_sample({m.y, v.y}, static_cast<float>(sample.y), right, settings);
      *mean = make_float2(a.mean, b.mean);
      *variance = make_float2(a.variance, b.variance);
      store_pair(mask.row(y), x, both, make_uchar2(left ? 255 : 0, right ? 255 : 0));
      foreground += static_cast<unsigned>(left) + static_cast<unsigned>(right);
    }
    const size_t chroma_at = static_cast<size_t>(block.y) * model.chroma_pitch + block.x;
#pragma unroll
    for (int c = 0; c < 2; ++c) {
      const Gaussian g{model.chroma_mean[c][chroma_at], model.chroma_variance[c][chroma_at]};
      const Gaussian moved =
          moved_sample(g, chroma_sample(picture, c, block.x, block.y), foreground > 0, settings);
      model.chroma_mean[c][chroma_at] = moved.mean;
      model.chroma_variance[c][chroma_at] = moved.variance;
    }
  }
  const unsigned sum = block_sum<kForegroundThreads>(foreground);
  if (threadIdx.x == 0 && sum > 0) atomicAdd(count, static_cast<unsigned long long>(sum));
}

}  // namespace vantage::gpu
