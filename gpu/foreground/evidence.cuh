// The evidence of each 2x2 block from chroma and light, and the chroma of blocks in shade.
#pragma once

#include "gpu/foreground/light.cuh"

namespace vantage::gpu {

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

// Luma, light, luma difference and chroma distance of each block.
__global__ void __launch_bounds__(kForegroundThreads)
    gaussian_blocks(const GaussianPlanes model, const PictureSamples picture, const GaussianSettings settings,
                    const FrameEvidence evidence) {
  trigger_dependent_launch();
  grid_dependency_sync();
  const BlockPosition block = block_position(model);
  if (!block.inside) return;
  const FrameLight frame = light_of(evidence, settings);
  const BlockSums sums = block_sums(model, picture, frame.black, block.x, block.y);
  const bool wide = 2 * block.x + 1 < model.width, high = 2 * block.y + 1 < model.height;
  const float light = block_light(sums.values, sums.means, frame);
  const size_t at = static_cast<size_t>(block.y) * model.chroma_pitch + block.x;
  const float share = (wide ? 0.5f : 1.0f) * (high ? 0.5f : 1.0f);
  const float luma = sums.values * share,
              difference = block_difference(sums.values, sums.means, share, frame);
  const float shown[2] = {chroma_sample(picture, 0, block.x, block.y),
                          chroma_sample(picture, 1, block.x, block.y)};
  const bool balance = !keeps_balance(frame), clipped = balance && near_white(luma, shown[0], shown[1]);
  const auto component = [&](int c) {
    const Interval scene =
        displaced_at(model.chroma_mean[c], model.chroma_pitch, (model.width + 1) / 2, (model.height + 1) / 2,
                     block.x, block.y, kChromaDisplacement * settings.displacement);
    const float unbalanced = beyond(shown[c], scene, 128.0f, {light, light});
    if (!balance) return unbalanced;
    return balanced_difference(
        beyond(balanced(shown[c], luma, frame.balance[c]), scene, 128.0f, {light, light}), unbalanced,
        clipped);
  };
  const ChromaDifference rest = without_shade({component(0), component(1)}, difference, settings);
  evidence.luma[at] = luma;
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
  trigger_dependent_launch();
  grid_dependency_sync();
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

}  // namespace vantage::gpu
