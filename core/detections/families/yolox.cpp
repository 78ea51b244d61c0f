// YOLOX (Ge et al. 2021): one list, a row for each cell: centre, size, objectness, classes (these three
// between 0 and 1). Exports differ in whether centre and size are decoded: raw sizes are logarithms in
// strides, which never reach 20.
#include <algorithm>

#include "core/detections/families/family.h"

namespace vantage::detections_detail {
namespace yolox {

constexpr int64_t kBox = 5;
constexpr float kLargestLogarithm = 20;
const std::vector<int> kStrides = {8, 16, 32};

bool recognise(const std::vector<Tensor>& outputs, const InputSize& input) {
  if (outputs.size() != 1 || outputs[0].shape.size() != 3 || outputs[0].shape[2] <= kBox ||
      !has_values(outputs[0]))
    return false;
  return outputs[0].shape[1] == static_cast<int64_t>(cells_of(input, kStrides).size()) &&
         std::all_of(outputs[0].values.begin(), outputs[0].values.end(),
                     [](float value) { return std::isfinite(value); });
}

std::vector<Detection> decode(const std::vector<Tensor>& outputs, const InputSize& input, float min_score) {
  const std::vector<Cell> cells = cells_of(input, kStrides);
  const int64_t width = outputs[0].shape[2];
  const float* rows = outputs[0].values.data();
  bool raw = true;
  for (size_t i = 0; i < cells.size(); ++i)
    raw = raw && rows[static_cast<int64_t>(i) * width + 2] < kLargestLogarithm &&
          rows[static_cast<int64_t>(i) * width + 3] < kLargestLogarithm;
  std::vector<Detection> found;
  for (size_t i = 0; i < cells.size(); ++i) {
    const float* row = rows + static_cast<int64_t>(i) * width;
    const float score = row[4] * row[kBox];  // the first of COCO's classes is a person
    if (!(score >= min_score)) continue;
    float x = row[0], y = row[1], w = row[2], h = row[3];
    if (raw) {
      const Cell& cell = cells[i];
      x = (x + cell.x) * cell.stride, y = (y + cell.y) * cell.stride;
      w = std::exp(w) * cell.stride, h = std::exp(h) * cell.stride;
    }
    found.push_back({x - w / 2, y - h / 2, w, h, score, 0});
  }
  return found;
}

}  // namespace yolox

std::vector<Cell> cells_of(const InputSize& input, const std::vector<int>& strides) {
  std::vector<Cell> cells;
  for (const int stride : strides) {
    const int rows = (input.height_px + stride - 1) / stride,
              columns = (input.width_px + stride - 1) / stride;
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x)
        cells.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(stride)});
  }
  return cells;
}

const Family kYoloX = {"YOLOX", {}, false, yolox::recognise, yolox::decode};

}  // namespace vantage::detections_detail
