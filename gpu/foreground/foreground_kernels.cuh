// The kernels of the CUDA foreground model. Blocks, distances, votes and update: one thread a 2x2 block, that
// is up to four luma samples and one of each chroma. Cleaning: one thread a pixel. Operations and their order
// are those of core/foreground/gaussian_pixel.h, compiled without fused multiply-add, so that the bits are
// the CPU's.
#pragma once

#include "core/foreground/cleaning.h"
#include "core/foreground/gaussian_pixel.h"
#include "core/foreground/light_change.h"
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

// What one frame leaves between the kernels, in the pitches of the model: of each 2x2 block its light,
// chroma and luma differences and chroma distance; of each pixel its distance; of the picture its gain.
struct FrameEvidence {
  float* light;
  float* chroma;
  float* difference;
  float* chroma_difference[2];  // Cb, Cr
  float* distance;
  float* gain;
  uint32_t* histogram;  // kLightBins, zero between frames
  float black;
};

__device__ inline FrameLight light_of(const FrameEvidence& evidence, const GaussianSettings& settings) {
  return frame_light(evidence.black, *evidence.gain, settings.darkest_shadow);
}

// The luma samples of a block above black and their means; what is missing is 0.
struct BlockSums {
  float values, means;
};
__device__ inline BlockSums block_sums(const GaussianPlanes& model, const PictureSamples& picture,
                                       float black, int block_x, int block_y) {
  const int x = 2 * block_x, top = 2 * block_y;
  const bool wide = x + 1 < model.width, high = top + 1 < model.height;
  float2 value[2] = {}, mean[2] = {};
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    if (row == 1 && !high) break;
    const uchar2 sample = load_pair(picture.luma.row(top + row), x, wide);
    const float2 m = *reinterpret_cast<const float2*>(model.luma_mean +
                                                      static_cast<size_t>(top + row) * model.luma_pitch + x);
    value[row].x = static_cast<float>(sample.x) - black;
    mean[row].x = m.x - black;
    if (wide) value[row].y = static_cast<float>(sample.y) - black;
    if (wide) mean[row].y = m.y - black;
  }
  return {block_total(value[0].x, value[0].y, value[1].x, value[1].y),
          block_total(mean[0].x, mean[0].y, mean[1].x, mean[1].y)};
}

// Counts every kLightSpacing-th whole block both ways.
__global__ void __launch_bounds__(kForegroundThreads)
    count_light(const GaussianPlanes model, const PictureSamples picture, const FrameEvidence evidence) {
  __shared__ uint32_t bins[kLightBins];
  for (int i = static_cast<int>(threadIdx.x); i < kLightBins; i += kForegroundThreads) bins[i] = 0;
  __syncthreads();
  const int wide = (model.width / 2 + kLightSpacing - 1) / kLightSpacing;
  const int high = (model.height / 2 + kLightSpacing - 1) / kLightSpacing;
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index < wide * high) {
    const BlockSums sums = block_sums(model, picture, evidence.black, index % wide * kLightSpacing,
                                      index / wide * kLightSpacing);
    const int bin = light_bin(sums.values, sums.means);
    if (bin >= 0) atomicAdd(&bins[bin], 1u);
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kLightBins; i += kForegroundThreads)
    if (bins[i] > 0) atomicAdd(evidence.histogram + i, bins[i]);
}

// One warp: the gain from the histogram, which it clears.
__global__ void find_gain(const FrameEvidence evidence, const GaussianSettings settings) {
  constexpr int kBinsPerThread = kLightBins / 32;
  constexpr unsigned kAll = 0xffffffffu;
  const int lane = static_cast<int>(threadIdx.x);
  uint32_t* bins = evidence.histogram + lane * kBinsPerThread;
  uint32_t counts[kBinsPerThread];  // in registers: all loads are under way at once
  uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < kBinsPerThread; ++i) counts[i] = bins[i];
#pragma unroll
  for (int i = 0; i < kBinsPerThread; ++i) sum += counts[i];
  uint32_t through = sum;
  for (int step = 1; step < 32; step *= 2) {
    const uint32_t other = __shfl_up_sync(kAll, through, step);
    if (lane >= step) through += other;
  }
  const uint32_t total = __shfl_sync(kAll, through, 31);
  uint32_t before = through - sum;
  if (lane == 0 && total < kFewestLightSamples) *evidence.gain = 1.0f;
#pragma unroll
  for (int i = 0; i < kBinsPerThread; ++i) {
    const uint32_t count = counts[i];
    if (total >= kFewestLightSamples && holds_median(before, count, total))
      *evidence.gain = light_gain(lane * kBinsPerThread + i, before, count, total, settings.largest_change);
    before += count;
    bins[i] = 0;
  }
}

// displaced() of the sample at (x, y) of a plane of means.
__device__ inline Interval displaced_at(const float* mean, int pitch, int width, int height, int x, int y,
                                        float displacement) {
  const float own = mean[static_cast<size_t>(y) * pitch + x];
  float smallest = own, largest = own;
#pragma unroll
  for (int v = -1; v <= 1; ++v)
#pragma unroll
    for (int u = -1; u <= 1; ++u) {
      const float other =
          mean[static_cast<size_t>(min(max(y + v, 0), height - 1)) * pitch + min(max(x + u, 0), width - 1)];
      smallest = fminf(smallest, other);
      largest = fmaxf(largest, other);
    }
  return displaced(own, smallest, largest, displacement);
}

// Light, luma difference and chroma distance of each block.
__global__ void __launch_bounds__(kForegroundThreads)
    gaussian_blocks(const GaussianPlanes model, const PictureSamples picture, const GaussianSettings settings,
                    const FrameEvidence evidence) {
  const BlockPosition block = block_position(model);
  if (!block.inside) return;
  const FrameLight frame = light_of(evidence, settings);
  const BlockSums sums = block_sums(model, picture, frame.black, block.x, block.y);
  const bool wide = 2 * block.x + 1 < model.width, high = 2 * block.y + 1 < model.height;
  const float light = block_light(sums.values, sums.means, frame);
  const size_t at = static_cast<size_t>(block.y) * model.chroma_pitch + block.x;
  const float difference =
      block_difference(sums.values, sums.means, (wide ? 0.5f : 1.0f) * (high ? 0.5f : 1.0f), frame);
  const auto component = [&](int c) {
    return beyond(
        chroma_sample(picture, c, block.x, block.y),
        displaced_at(model.chroma_mean[c], model.chroma_pitch, (model.width + 1) / 2, (model.height + 1) / 2,
                     block.x, block.y, kChromaDisplacement * settings.displacement),
        128.0f, {light, light});
  };
  const ChromaDifference rest = without_shade({component(0), component(1)}, difference, settings);
  evidence.light[at] = light;
  evidence.difference[at] = difference;
  evidence.chroma_difference[0][at] = rest.cb;
  evidence.chroma_difference[1][at] = rest.cr;
  evidence.chroma[at] =
      chroma_distance(rest, model.chroma_variance[0][at], model.chroma_variance[1][at], settings);
}

// Raises the chroma distance of blocks in shade to that of the mean around them.
__global__ void __launch_bounds__(kForegroundThreads)
    gaussian_shade(const GaussianPlanes model, const GaussianSettings settings,
                   const FrameEvidence evidence) {
  const BlockPosition block = block_position(model);
  if (!block.inside) return;
  const FrameLight frame = light_of(evidence, settings);
  const size_t own = static_cast<size_t>(block.y) * model.chroma_pitch + block.x;
  const float shade = shade_of(evidence.light[own], frame);
  if (!(shade > 0.0f)) return;
  const int last_x = (model.width + 1) / 2 - 1, last_y = (model.height + 1) / 2 - 1;
  const float difference = evidence.difference[own];
  WeighedChroma sum{0.0f, 0.0f, 0.0f};
#pragma unroll
  for (int v = -1; v <= 1; ++v)
#pragma unroll
    for (int u = -1; u <= 1; ++u) {
      const size_t at = static_cast<size_t>(min(max(block.y + v, 0), last_y)) * model.chroma_pitch +
                        min(max(block.x + u, 0), last_x);
      sum = plus_chroma(sum, {evidence.chroma_difference[0][at], evidence.chroma_difference[1][at]},
                        chroma_share(1.0f, evidence.difference[at], difference));
    }
  const float c = shaded_distance(sum, shade, settings);
  if (c > evidence.chroma[own]) evidence.chroma[own] = c;
}

// A 4x4 window of a plane of luma size around a 2x2 block; the border repeats.
struct Window {
  float at[4][4];
};
__device__ inline Window window_around(const float* plane, const GaussianPlanes& model, int x, int y) {
  Window window;
#pragma unroll
  for (int v = 0; v < 4; ++v) {
    const float* row =
        plane + static_cast<size_t>(min(max(y + v - 1, 0), model.height - 1)) * model.luma_pitch;
    window.at[v][0] = row[max(x - 1, 0)];
    const float2 middle = *reinterpret_cast<const float2*>(row + x);
    window.at[v][1] = middle.x;
    window.at[v][2] = x + 1 < model.width ? middle.y : middle.x;
    window.at[v][3] = row[min(x + 2, model.width - 1)];
  }
  return window;
}
struct Extremes {
  float smallest, largest;
};
// Over the 3x3 samples around the window's sample (u + 1, v + 1).
__device__ inline Extremes extremes_in(const Window& window, int u, int v) {
  Extremes e{window.at[v][u], window.at[v][u]};
#pragma unroll
  for (int j = 0; j < 3; ++j)
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      e.smallest = fminf(e.smallest, window.at[v + j][u + i]);
      e.largest = fmaxf(e.largest, window.at[v + j][u + i]);
    }
  return e;
}

// The distances of one 2x2 block.
__global__ void __launch_bounds__(kForegroundThreads)
    gaussian_distance(const GaussianPlanes model, const PictureSamples picture,
                      const GaussianSettings settings, const FrameEvidence evidence) {
  const BlockPosition block = block_position(model);
  if (!block.inside) return;
  const FrameLight frame = light_of(evidence, settings);
  const int x = 2 * block.x, top = 2 * block.y;
  const bool wide = x + 1 < model.width;
  const int last_x = (model.width + 1) / 2 - 1, last_y = (model.height + 1) / 2 - 1;
  ChromaEvidence around[3][3];
#pragma unroll
  for (int v = 0; v < 3; ++v)
#pragma unroll
    for (int u = 0; u < 3; ++u) {
      const size_t at = static_cast<size_t>(min(max(block.y + v - 1, 0), last_y)) * model.chroma_pitch +
                        min(max(block.x + u - 1, 0), last_x);
      around[v][u] = {evidence.chroma[at], evidence.difference[at]};
    }
  const float light = evidence.light[static_cast<size_t>(block.y) * model.chroma_pitch + block.x];
  const Window means = window_around(model.luma_mean, model, x, top);
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    if (row == 1 && top + 1 >= model.height) break;
    const uchar2 sample = load_pair(picture.luma.row(top + row), x, wide);
    const size_t at = static_cast<size_t>(top + row) * model.luma_pitch + x;
    const float2 variance = *reinterpret_cast<const float2*>(model.luma_variance + at);
    const auto distance = [&](float value, float v, int column) {
      const float mean = means.at[row + 1][column + 1];
      const Extremes near = extremes_in(means, column, row);
      const float c = chroma_at_pixel(around[1][1], around[1][2 * column], around[2 * row][1],
                                      around[2 * row][2 * column],
                                      block_difference(value - frame.black, mean - frame.black, 1.0f, frame));
      return pixel_distance(
          in_variances(beyond(value, displaced(mean, near.smallest, near.largest, settings.displacement),
                              frame.black, {light, frame.gain}),
                       v, settings.min_variance),
          c);
    };
    *reinterpret_cast<float2*>(evidence.distance + at) =
        make_float2(distance(static_cast<float>(sample.x), variance.x, 0),
                    wide ? distance(static_cast<float>(sample.y), variance.y, 1) : 0.0f);
  }
}

// The votes of one 2x2 block, its distances sharpened.
__global__ void __launch_bounds__(kForegroundThreads)
    gaussian_vote(const GaussianPlanes model, const GaussianSettings settings, const FrameEvidence evidence,
                  const ImageView<uint8_t> votes) {
  const BlockPosition block = block_position(model);
  if (!block.inside) return;
  const int x = 2 * block.x, top = 2 * block.y;
  const Window distances = window_around(evidence.distance, model, x, top);
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    if (row == 1 && top + 1 >= model.height) break;
    const auto vote = [&](int column) {
      const Extremes near = extremes_in(distances, column, row);
      return vote_level(sharpened(distances.at[row + 1][column + 1], near.smallest, near.largest, settings),
                        settings);
    };
    store_pair(votes.row(top + row), x, x + 1 < model.width, make_uchar2(vote(0), vote(1)));
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
                    const FrameEvidence evidence, const ImageView<const uint8_t> indicator,
                    const ImageView<uint8_t> mask, unsigned long long* count) {
  const BlockPosition block = block_position(model);
  unsigned foreground = 0;
  if (block.inside) {
    const FrameLight frame = light_of(evidence, settings);
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
      const Gaussian a = moved_sample(
          {m.x, v.x}, in_learnt_light(static_cast<float>(sample.x), frame.black, frame), left, settings);
      const Gaussian b = moved_sample(
          {m.y, v.y}, in_learnt_light(static_cast<float>(sample.y), frame.black, frame), right, settings);
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
          moved_sample(g, in_learnt_light(chroma_sample(picture, c, block.x, block.y), 128.0f, frame),
                       foreground > 0, settings);
      model.chroma_mean[c][chroma_at] = moved.mean;
      model.chroma_variance[c][chroma_at] = moved.variance;
    }
  }
  const unsigned sum = block_sum<kForegroundThreads>(foreground);
  if (threadIdx.x == 0 && sum > 0) atomicAdd(count, static_cast<unsigned long long>(sum));
}

}  // namespace vantage::gpu
