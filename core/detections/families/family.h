// A family of detectors: how its pixels go in and how its outputs are read; private to core/detections.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/detections/detail/letterbox.h"
#include "core/primitives/nms.h"

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
