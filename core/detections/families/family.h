// A family of detectors: how its pixels go in and how its outputs are read; private to core/detections.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/detections/engine.h"
#include "core/image/picture.h"
#include "core/primitives/nms.h"

namespace vantage {

// A picture as a detector's input: scaled to fit, from the top left, the rest filled.

// How a model wants its pixels.
struct PixelForm {
  bool rgb = false;  // planes R, G, B instead of B, G, R
  float mean[3] = {0, 0, 0},
        deviation[3] = {1, 1, 1};  // (value - mean) / deviation, by plane; values 0 to 255
  float fill = 114;                // beyond the picture, before that
  bool stretched = false;          // to the whole input, each side by itself
};

struct InputSize {
  int width_px = 0, height_px = 0;
};
// The input's size for pictures of that size: `long_side_px` the longer side, both multiples of 32.
InputSize input_size(int width_px, int height_px, int long_side_px);

struct ModelInput {
  Tensor tensor;                    // 1 x 3 x height x width
  double scale_x = 1, scale_y = 1;  // pixels of the input for one of the picture's
};

// Converts from Y'CbCr by the picture's own range and matrix. The picture is in host memory.
Result<ModelInput> letterbox(const Picture& picture, const InputSize& size, const PixelForm& form);

}  // namespace vantage

namespace vantage::detections_detail {

struct Family {
  const char* name;  // "RTMDet"
  PixelForm pixels;
  bool suppressed;  // its boxes are final: none overlap
  // Whether these outputs, of an input of that size, are of this family.
  bool (*recognise)(const std::vector<Tensor>& outputs, const InputSize& input);
  // Boxes of people of at least that score, in pixels of the input.
  std::vector<Detection> (*decode)(const std::vector<Tensor>& outputs, const InputSize& input,
                                   float min_score);
};
extern const Family kRtmDet, kYoloX, kNanoDet, kDetr;

// Every dimension has a length, so that there are values: the shape is what a model's file says.
inline bool has_values(const Tensor& tensor) {
  return std::all_of(tensor.shape.begin(), tensor.shape.end(), [](int64_t length) { return length > 0; });
}

inline float sigmoid(float value) {
  return 1 / (1 + std::exp(-value));
}

// The cells of all levels, as heads with one list of boxes order them: row by row, level by level.
struct Cell {
  float x, y, stride;  // its left upper corner in pixels is x stride, y stride
};
std::vector<Cell> cells_of(const InputSize& input, const std::vector<int>& strides);

}  // namespace vantage::detections_detail
