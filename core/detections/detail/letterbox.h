// A picture as a detector's input: scaled to fit, from the top left, the rest filled.
#pragma once

#include "core/base/result.h"
#include "core/detections/engine.h"
#include "core/image/picture.h"

namespace vantage {

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
