// Learning: from an empty scene, and from each frame once its mask is known.
#pragma once

#include "gpu/foreground/planes.cuh"
#include "gpu/runtime/block_sum.cuh"

namespace vantage::gpu {

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

__device__ inline Gaussian moved_sample(Gaussian g, float value, bool foreground,
                                        const GaussianSettings& settings) {
  return foreground ? absorb_sample(g, value, settings.absorption_rate)
                    : update_sample(g, value, settings.learning_rate);
}

// The mask from the cleaned votes, its size (in pinned host memory), and the model's update.
__global__ void __launch_bounds__(kForegroundThreads)
    gaussian_update(const GaussianPlanes model, const PictureSamples picture, const GaussianSettings settings,
                    const FrameEvidence evidence, const ImageView<const uint8_t> indicator,
                    const ImageView<uint8_t> mask, uint32_t* mask_count) {
  grid_dependency_sync();
  const BlockPosition block = block_position(model);
  unsigned foreground = 0;
  if (block.inside) {
    const FrameLight frame = light_of(evidence, settings);
    const int x = 2 * block.x;
    const bool both = x + 1 < model.width;
    for (int y = 2 * block.y; y < min(2 * block.y + 2, model.height); ++y) {
      const uchar2 sample = load_pair(picture.luma.row(y), x, both);
      const uchar2 level = fresh_pair(indicator.row(y), x, both);
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
      const float value =
          balanced(chroma_sample(picture, c, block.x, block.y), evidence.luma[chroma_at], frame.balance[c]);
      const Gaussian moved = moved_sample(g, in_learnt_light(value, 128.0f, frame), foreground > 0, settings);
      model.chroma_mean[c][chroma_at] = moved.mean;
      model.chroma_variance[c][chroma_at] = moved.variance;
    }
  }
  const unsigned sum = block_sum<kForegroundThreads>(foreground);
  if (threadIdx.x == 0) add_to_total(evidence.mask_count, sum, mask_count);
}

}  // namespace vantage::gpu
