// Learning: from an empty scene, and from each frame once its mask is known.
#pragma once

#include "gpu/foreground/light.cuh"
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

// The evidence of each 2x2 block from chroma and light, and the chroma of blocks in shade.

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

// The distance of each pixel from the model and its vote.

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
  trigger_dependent_launch();
  grid_dependency_sync();
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

// The votes of one 2x2 block, its distances sharpened; at least what is undecided there.
__global__ void __launch_bounds__(kForegroundThreads)
    gaussian_vote(const GaussianPlanes model, const GaussianSettings settings, const FrameEvidence evidence,
                  const ImageView<uint8_t> votes) {
  trigger_dependent_launch();
  grid_dependency_sync();
  const BlockPosition block = block_position(model);
  if (!block.inside) return;
  const int x = 2 * block.x, top = 2 * block.y;
  const Window distances = window_around(evidence.distance, model, x, top);
  const size_t own = static_cast<size_t>(block.y) * model.chroma_pitch + block.x;
  const uint8_t lowest =
      undecided_level(evidence.luma[own], evidence.light[own], light_of(evidence, settings), settings);
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    if (row == 1 && top + 1 >= model.height) break;
    const auto vote = [&](int column) {
      const Extremes near = extremes_in(distances, column, row);
      const uint8_t level = vote_level(
          sharpened(distances.at[row + 1][column + 1], near.smallest, near.largest, settings), settings);
      return level > lowest ? level : lowest;
    };
    store_pair(votes.row(top + row), x, x + 1 < model.width, make_uchar2(vote(0), vote(1)));
  }
}

}  // namespace vantage::gpu
