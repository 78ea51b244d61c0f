// NanoDet-Plus: one list, a row for each cell of strides 8, 16, 32 and 64: classes between 0 and 1, then for
// each side of the box a distribution over distances 0, 1, ... in strides, as logarithms.
#include <algorithm>

#include "core/detections/families/family.h"

namespace vantage::detections_detail {
namespace nanodet {

constexpr int64_t kSides = 4, kBins = 8;
const std::vector<int> kStrides = {8, 16, 32, 64};

bool recognise(const std::vector<Tensor>& outputs, const InputSize& input) {
  return outputs.size() == 1 && outputs[0].shape.size() == 3 && outputs[0].shape[2] > kSides * kBins &&
         has_values(outputs[0]) &&
         outputs[0].shape[1] == static_cast<int64_t>(cells_of(input, kStrides).size());
}

float mean_of(const float* logarithms) {
  const float most = *std::max_element(logarithms, logarithms + kBins);
  float sum = 0, weighted = 0;
  for (int64_t i = 0; i < kBins; ++i) {
    const float share = std::exp(logarithms[i] - most);
    sum += share, weighted += share * static_cast<float>(i);
  }
  return weighted / sum;
}

std::vector<Detection> decode(const std::vector<Tensor>& outputs, const InputSize& input, float min_score) {
  const std::vector<Cell> cells = cells_of(input, kStrides);
  const int64_t width = outputs[0].shape[2];
  std::vector<Detection> found;
  for (size_t i = 0; i < cells.size(); ++i) {
    const float* row = outputs[0].values.data() + static_cast<int64_t>(i) * width;
    if (!(row[0] >= min_score)) continue;  // the first of COCO's classes is a person
    const float* sides = row + width - kSides * kBins;
    const Cell& cell = cells[i];
    const float left = (cell.x - mean_of(sides)) * cell.stride,
                top = (cell.y - mean_of(sides + kBins)) * cell.stride;
    const float right = (cell.x + mean_of(sides + 2 * kBins)) * cell.stride;
    const float bottom = (cell.y + mean_of(sides + 3 * kBins)) * cell.stride;
    found.push_back({left, top, right - left, bottom - top, row[0], 0});
  }
  return found;
}

}  // namespace nanodet

const Family kNanoDet = {
    "NanoDet",
    {.mean = {103.53F, 116.28F, 123.675F}, .deviation = {57.375F, 57.12F, 58.395F}, .fill = 0},
    false,
    nanodet::recognise,
    nanodet::decode};

}  // namespace vantage::detections_detail
