// The light of a frame against the learnt one: histograms of the blocks' quotients and their medians.
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
  constexpr int kBins = kLightChannels * kLightBins;
  __shared__ uint32_t bins[kBins];
  for (int i = static_cast<int>(threadIdx.x); i < kBins; i += kForegroundThreads) bins[i] = 0;
  __syncthreads();
  const int wide = (model.width / 2 + kLightSpacing - 1) / kLightSpacing;
  const int high = (model.height / 2 + kLightSpacing - 1) / kLightSpacing;
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index < wide * high) {
    const int x = index % wide * kLightSpacing, y = index / wide * kLightSpacing;
    const BlockSums sums = block_sums(model, picture, evidence.black, x, y);
    const int bin = light_bin(sums.values, sums.means);
    if (bin >= 0) {
      atomicAdd(&bins[kBrightness * kLightBins + bin], 1u);
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        const float mean = model.chroma_mean[c][static_cast<size_t>(y) * model.chroma_pitch + x];
        const int its =
            balance_bin(0.25f * sums.values, chroma_sample(picture, c, x, y) - 128.0f, 0.25f * sums.means,
                        mean - 128.0f, c == 0 ? 1.0f / kBlueShare : 1.0f / kRedShare);
        if (its >= 0) atomicAdd(&bins[(c == 0 ? kBlue : kRed) * kLightBins + its], 1u);
      }
    }
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kBins; i += kForegroundThreads)
    if (bins[i] > 0) atomicAdd(evidence.histograms + i, bins[i]);
}

// A block of one warp for each channel: its gain from its histogram, which it clears. The first clears the
// mask's count.
__global__ void find_gains(const FrameEvidence evidence, const GaussianSettings settings) {
  trigger_dependent_launch();
  grid_dependency_sync();
  constexpr int kBinsPerThread = kLightBins / 32;
  constexpr unsigned kAll = 0xffffffffu;
  const auto channel = static_cast<LightChannel>(blockIdx.x);
  float* gain = evidence.gains + channel;
  const int lane = static_cast<int>(threadIdx.x);
  if (lane == 0 && channel == kBrightness) *evidence.mask_count = 0;
  uint32_t* bins = evidence.histograms + channel * kLightBins + lane * kBinsPerThread;
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
  if (lane == 0 && total < kFewestLightSamples) *gain = 1.0f;
#pragma unroll
  for (int i = 0; i < kBinsPerThread; ++i) {
    const uint32_t count = counts[i];
    if (total >= kFewestLightSamples && holds_median(before, count, total))
      *gain = light_gain(channel, lane * kBinsPerThread + i, before, count, total, settings.largest_change);
    before += count;
    bins[i] = 0;
  }
}

}  // namespace vantage::gpu
