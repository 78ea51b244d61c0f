// DETR and its successors (Carion et al. 2020; RT-DETR): a list of logits and a list of boxes, centre and
// size in shares of the input. With 92 columns (91 classes and "nothing", in COCO's numbering) the
// probabilities are a softmax; otherwise each class has its own.
#include <algorithm>

#include "core/detections/families/family.h"

namespace vantage::detections_detail {
namespace detr {

constexpr int64_t kWithNothing = 92, kCocoNumbering = 91;

const Tensor* boxes_of(const std::vector<Tensor>& outputs) {
  for (const Tensor& tensor : outputs)
    if (tensor.shape.size() == 3 && tensor.shape[2] == 4) return &tensor;
  return nullptr;
}
const Tensor* logits_of(const std::vector<Tensor>& outputs) {
  for (const Tensor& tensor : outputs)
    if (tensor.shape.size() == 3 && tensor.shape[2] != 4) return &tensor;
  return nullptr;
}

bool recognise(const std::vector<Tensor>& outputs, const InputSize&) {
  const Tensor *boxes = boxes_of(outputs), *logits = logits_of(outputs);
  return outputs.size() == 2 && boxes && logits && boxes->shape[1] == logits->shape[1] &&
         has_values(*boxes) && has_values(*logits);
}

float probability(const float* logits, int64_t classes) {
  const int64_t person = classes >= kCocoNumbering ? 1 : 0;
  if (classes != kWithNothing) return sigmoid(logits[person]);
  const float most = *std::max_element(logits, logits + classes);
  float sum = 0;
  for (int64_t i = 0; i < classes; ++i) sum += std::exp(logits[i] - most);
  return std::exp(logits[person] - most) / sum;
}

std::vector<Detection> decode(const std::vector<Tensor>& outputs, const InputSize& input, float min_score) {
  const Tensor &boxes = *boxes_of(outputs), &logits = *logits_of(outputs);
  std::vector<Detection> found;
  for (int64_t i = 0; i < boxes.shape[1]; ++i) {
    const float score = probability(logits.values.data() + i * logits.shape[2], logits.shape[2]);
    if (!(score >= min_score)) continue;
    const float* box = boxes.values.data() + 4 * i;
    const auto width = static_cast<float>(input.width_px), height = static_cast<float>(input.height_px);
    found.push_back({(box[0] - box[2] / 2) * width, (box[1] - box[3] / 2) * height, box[2] * width,
                     box[3] * height, score, 0});
  }
  return found;
}

}  // namespace detr

const Family kDetr = {"DETR",
                      {.rgb = true, .mean = {0, 0, 0}, .deviation = {255, 255, 255}, .stretched = true},
                      true,
                      detr::recognise,
                      detr::decode};

}  // namespace vantage::detections_detail
