// The light of a frame against the learnt one: a histogram of the blocks' quotients and its median.
#pragma once

#include "gpu/foreground/planes.cuh"

namespace vantage::gpu {

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
  trigger_dependent_launch();
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

// One warp: the gain from the histogram, which it clears, as it does the mask's count.
__global__ void find_gain(const FrameEvidence evidence, const GaussianSettings settings) {
  trigger_dependent_launch();
  grid_dependency_sync();
  constexpr int kBinsPerThread = kLightBins / 32;
  constexpr unsigned kAll = 0xffffffffu;
  const int lane = static_cast<int>(threadIdx.x);
  if (lane == 0) *evidence.mask_count = 0;
  uint32_t* bins = evidence.histogram + lane * kBinsPerThread;
  uint32_t counts[kBinsPerThread];  // in registers: all loads are in flight at once
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

}  // namespace vantage::gpu
