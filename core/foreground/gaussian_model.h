// The memory of the method `gaussian` in host memory: the six planes of gaussian_pixel.h in one piece,
// without padding. The CPU's model, and what a device's model is copied into to explain a pixel.
#pragma once

#include <cstdint>
#include <vector>

#include "core/foreground/gaussian_kernel.h"

namespace vantage {

struct GaussianModel {
  enum Plane { luma, cb, cr };
  int width = 0, height = 0;
  int64_t learnt_frames = 0;
  std::vector<float> values;  // empty: it has seen no picture

  int chroma_width() const { return (width + 1) / 2; }
  int chroma_height() const { return (height + 1) / 2; }

  // Planes of zeros that have learnt nothing.
  void start(int new_width, int new_height) {
    width = new_width, height = new_height;
    learnt_frames = 0;
    values.assign(2 * (luma_size() + 2 * chroma_size()), 0.0f);
  }
  foreground::GaussianRow row(Plane plane, int y) {
    const size_t size = plane == luma ? luma_size() : chroma_size();
    const size_t before = plane == luma ? 0 : 2 * (luma_size() + (plane == cr ? chroma_size() : 0));
    const auto row_width = static_cast<size_t>(plane == luma ? width : chroma_width());
    float* mean = values.data() + before + static_cast<size_t>(y) * row_width;
    return {mean, mean + size};
  }

 private:
  size_t luma_size() const { return static_cast<size_t>(width) * static_cast<size_t>(height); }
  size_t chroma_size() const {
    return static_cast<size_t>(chroma_width()) * static_cast<size_t>(chroma_height());
  }
};

}  // namespace vantage
