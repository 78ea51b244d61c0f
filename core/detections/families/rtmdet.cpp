// RTMDet (Lyu et al. 2022): distances to the four sides of a box from its cell, which mmdetection's export
// gives already in pixels. Three forms: a level each with score and sides in the last dimension; levels of
// scores and levels of sides; or boxes and labels after suppression ("dets", "labels").
#include <algorithm>

#include "core/detections/families/family.h"

namespace vantage::detections_detail {
namespace rtmdet {

constexpr size_t kSides = 4;

bool is_level(const Tensor& tensor, const InputSize& input, size_t row, size_t column) {
  if (tensor.shape.size() != 4 || !has_values(tensor)) return false;
  const int64_t stride = input.height_px / tensor.shape[row];
  return (stride == 8 || stride == 16 || stride == 32 || stride == 64) &&
         tensor.shape[row] * stride == input.height_px && tensor.shape[column] * stride == input.width_px;
}

bool is_joint(const Tensor& tensor, const InputSize& input) {
  return is_level(tensor, input, 1, 2) && tensor.shape[3] > static_cast<int64_t>(kSides);
}
bool is_scores(const Tensor& tensor, const InputSize& input) {
  return is_level(tensor, input, 2, 3) && tensor.shape[1] != static_cast<int64_t>(kSides);
}
bool is_sides(const Tensor& tensor, const InputSize& input) {
  return is_level(tensor, input, 2, 3) && tensor.shape[1] == static_cast<int64_t>(kSides);
}
bool same_level(const Tensor& scores, const Tensor& sides) {
  return scores.shape[0] == sides.shape[0] && scores.shape[2] == sides.shape[2] &&
         scores.shape[3] == sides.shape[3];
}
bool is_final(const std::vector<Tensor>& outputs) {
  return outputs.size() == 2 && outputs[0].shape.size() == 3 && outputs[0].shape[0] > 0 &&
         outputs[0].shape[2] == 5 && outputs[1].shape.size() == 2 && outputs[1].shape[0] > 0 &&
         outputs[1].shape[1] == outputs[0].shape[1];
}

bool recognise(const std::vector<Tensor>& outputs, const InputSize& input) {
  if (outputs.empty()) return false;
  if (is_final(outputs)) return true;
  const auto all = [&](size_t begin, size_t end, bool (*is)(const Tensor&, const InputSize&)) {
    return std::all_of(outputs.begin() + static_cast<std::ptrdiff_t>(begin),
                       outputs.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const Tensor& tensor) { return is(tensor, input); });
  };
  const size_t half = outputs.size() / 2;
  return all(0, outputs.size(), is_joint) ||
         (outputs.size() % 2 == 0 && all(0, half, is_scores) && all(half, outputs.size(), is_sides) &&
          std::equal(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(half),
                     outputs.begin() + static_cast<std::ptrdiff_t>(half), same_level));
}

void add(float logit, const float* sides, size_t step, int64_t x, int64_t y, int64_t stride, float min_score,
         std::vector<Detection>* found) {
  const float score = sigmoid(logit);
  if (!(score >= min_score)) return;
  const auto px = static_cast<float>(x * stride), py = static_cast<float>(y * stride);
  found->push_back(
      {px - sides[0], py - sides[step], sides[0] + sides[2 * step], sides[step] + sides[3 * step], score, 0});
}

std::vector<Detection> decode(const std::vector<Tensor>& outputs, const InputSize& input, float min_score) {
  std::vector<Detection> found;
  if (is_final(outputs)) {
    for (int64_t i = 0; i < outputs[0].shape[1]; ++i) {
      const float* box = outputs[0].values.data() + 5 * i;
      if (outputs[1].values[i] == 0 && box[4] >= min_score)
        found.push_back({box[0], box[1], box[2] - box[0], box[3] - box[1], box[4], 0});
    }
    return found;
  }
  const bool joint = is_joint(outputs[0], input);
  const size_t levels = joint ? outputs.size() : outputs.size() / 2;
  for (size_t level = 0; level < levels; ++level) {
    const Tensor& scores = outputs[level];
    const int64_t rows = scores.shape[joint ? 1 : 2], columns = scores.shape[joint ? 2 : 3];
    const int64_t stride = input.height_px / rows, cells = rows * columns;
    for (int64_t cell = 0; cell < cells; ++cell) {
      const int64_t x = cell % columns, y = cell / columns;
      if (joint) {
        const float* values = scores.values.data() + cell * scores.shape[3];
        add(values[0], values + scores.shape[3] - static_cast<int64_t>(kSides), 1, x, y, stride, min_score,
            &found);
      } else {
        add(scores.values[cell], outputs[levels + level].values.data() + cell, static_cast<size_t>(cells), x,
            y, stride, min_score, &found);
      }
    }
  }
  return found;
}

}  // namespace rtmdet

const Family kRtmDet = {"RTMDet",
                        {.mean = {103.53F, 116.28F, 123.675F}, .deviation = {57.375F, 57.12F, 58.395F}},
                        false,
                        rtmdet::recognise,
                        rtmdet::decode};

}  // namespace vantage::detections_detail
