// A family of detectors: the form of its input and the decoding of its outputs; private to core/detections.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/detections/detections.h"
#include "core/detections/engine.h"
#include "core/image/picture.h"
#include "core/primitives/nms.h"

namespace vantage {

// A picture as a detector's input: scaled to fit at the top left, the rest filled.

// Form of a model's pixels.
struct PixelForm {
  bool rgb = false;  // planes R, G, B instead of B, G, R
  float mean[3] = {0, 0, 0},
        deviation[3] = {1, 1, 1};  // (value - mean) / deviation, by plane; values 0 to 255
  float fill = 114;                // level beyond the picture, before normalisation
  bool stretched = false;          // scaled to the complete input, each side separately
};

struct InputSize {
  int width_px = 0, height_px = 0;
};
// The input's size for pictures of that size: the longer side is `long_side_px`, both are multiples of 32.
InputSize input_size(int width_px, int height_px, int long_side_px);

struct ModelInput {
  Tensor tensor;                    // 1 x 3 x height x width
  double scale_x = 1, scale_y = 1;  // pixels of the input for one of the picture's
};

// Converts from Y'CbCr by the picture's own range and matrix. The picture is in host memory.
Result<ModelInput> letterbox(const Picture& picture, const InputSize& size, const PixelForm& form);

// A cut of a picture of an input's size: its middle, in pixels of the picture, and its scale.
struct PictureCut {
  double x_px = 0, y_px = 0;
  double scale = 1;  // pixels of the input for one of the picture's
};
// The same for a cut; what lies beyond the picture is black.
Result<Tensor> cut_out(const Picture& picture, const PictureCut& cut, const InputSize& size,
                       const PixelForm& form);

}  // namespace vantage

namespace vantage::detections_detail {

struct Family {
  const char* name;  // "RTMDet"
  PixelForm pixels;
  bool suppressed;  // its boxes are final: non-maximum suppression is part of the model
  // These outputs, for an input of that size, belong to this family.
  bool (*recognise)(const std::vector<Tensor>& outputs, const InputSize& input);
  // Boxes of people of at least that score, in pixels of the input.
  std::vector<Detection> (*decode)(const std::vector<Tensor>& outputs, const InputSize& input,
                                   float min_score);
  // The joints of these people in the same order, in pixels of the input; null: the family has none.
  std::vector<std::vector<Keypoint>> (*joints)(const std::vector<Tensor>& outputs, float min_score) = nullptr;
};
extern const Family kRtmDet, kYoloX, kNanoDet, kRfDetr, kDFine, kDetr, kRtmo;

// All dimensions are positive, so that there are values: the shape comes from a model's file.
inline bool has_values(const Tensor& tensor) {
  return std::all_of(tensor.shape.begin(), tensor.shape.end(), [](int64_t length) { return length > 0; });
}

// "simcc_x 1x17x384, simcc_y 1x17x512"
std::string shapes_of(const std::vector<Tensor>& outputs);

// The output of that name; null: there is none.
const Tensor* output_named(const std::vector<Tensor>& outputs, std::string_view name);

inline float sigmoid(float value) {
  return 1 / (1 + std::exp(-value));
}

// The cells of all levels, in the order of heads with one list of boxes: row by row, level by level.
struct Cell {
  float x, y, stride;  // the top left corner in pixels is (x, y) * stride
};
std::vector<Cell> cells_of(const InputSize& input, const std::vector<int>& strides);

}  // namespace vantage::detections_detail
