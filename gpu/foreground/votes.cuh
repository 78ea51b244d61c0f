// The distance of each pixel from the model and its vote.
#pragma once

#include "gpu/foreground/planes.cuh"

namespace vantage::gpu {

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
