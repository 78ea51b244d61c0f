// DETR and its successors. Three forms, told apart by the outputs' names where the numbers are the same:
//
// DETR     (Carion et al. 2020; RT-DETR): a list of logits and a list of boxes, centre and size in shares of
//          the input. With 92 columns (91 classes and "nothing", in COCO's numbering) the probabilities are a
//          softmax; otherwise each class has its own.
// RF-DETR  (Roboflow 2025): the same as "dets" and "labels", for segmentation also "masks"; its pixels are
//          normalised before the model.
// D-FINE   (Peng et al. 2024; RT-DETR and DEIM with post-processing): "labels", "boxes" as corners, "scores",
//          best first.
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

bool are_a_pair(const Tensor* boxes, const Tensor* logits) {
  return boxes && logits && boxes->shape.size() == 3 && logits->shape.size() == 3 && boxes->shape[2] == 4 &&
         boxes->shape[1] == logits->shape[1] && has_values(*boxes) && has_values(*logits);
}

bool recognise_rf(const std::vector<Tensor>& outputs, const InputSize&) {
  const bool masks = output_named(outputs, "masks") != nullptr;
  return outputs.size() == (masks ? 3U : 2U) &&
         are_a_pair(output_named(outputs, "dets"), output_named(outputs, "labels"));
}

bool recognise(const std::vector<Tensor>& outputs, const InputSize& input) {
  return outputs.size() == 2 && !recognise_rf(outputs, input) &&
         are_a_pair(boxes_of(outputs), logits_of(outputs));
}

bool recognise_final(const std::vector<Tensor>& outputs, const InputSize&) {
  const Tensor *labels = output_named(outputs, "labels"), *boxes = output_named(outputs, "boxes"),
               *scores = output_named(outputs, "scores");
  return outputs.size() == 3 && labels && boxes && scores && boxes->shape.size() == 3 &&
         boxes->shape[2] == 4 && labels->shape.size() == 2 && labels->shape == scores->shape &&
         labels->shape[1] == boxes->shape[1] && has_values(*boxes) && has_values(*labels);
}

float probability(const float* logits, int64_t classes) {
  const int64_t person = classes >= kCocoNumbering ? 1 : 0;
  if (classes != kWithNothing) return sigmoid(logits[person]);
  const float most = *std::max_element(logits, logits + classes);
  float sum = 0;
  for (int64_t i = 0; i < classes; ++i) sum += std::exp(logits[i] - most);
  return std::exp(logits[person] - most) / sum;
}

std::vector<Detection> decode_pair(const Tensor& boxes, const Tensor& logits, const InputSize& input,
                                   float min_score) {
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

std::vector<Detection> decode(const std::vector<Tensor>& outputs, const InputSize& input, float min_score) {
  return decode_pair(*boxes_of(outputs), *logits_of(outputs), input, min_score);
}

std::vector<Detection> decode_rf(const std::vector<Tensor>& outputs, const InputSize& input,
                                 float min_score) {
  return decode_pair(*output_named(outputs, "dets"), *output_named(outputs, "labels"), input, min_score);
}

// Corners are in pixels of the input, whose size the model was given; in some exports in shares of it, none
// of which reaches kLargestShare.
std::vector<Detection> decode_final(const std::vector<Tensor>& outputs, const InputSize& input,
                                    float min_score) {
  constexpr float kLargestShare = 2;
  const Tensor &labels = *output_named(outputs, "labels"), &boxes = *output_named(outputs, "boxes"),
               &scores = *output_named(outputs, "scores");
  const bool shares = std::ranges::all_of(boxes.values, [](float side) { return side < kLargestShare; });
  const float across = shares ? static_cast<float>(input.width_px) : 1,
              down = shares ? static_cast<float>(input.height_px) : 1;
  std::vector<Detection> found;
  for (size_t i = 0; i < static_cast<size_t>(boxes.shape[1]); ++i) {
    const float* box = boxes.values.data() + 4 * i;
    if (labels.values[i] == 0 && scores.values[i] >= min_score)
      found.push_back({box[0] * across, box[1] * down, (box[2] - box[0]) * across, (box[3] - box[1]) * down,
                       scores.values[i], 0});
  }
  return found;
}

constexpr PixelForm kPlain = {
    .rgb = true, .mean = {0, 0, 0}, .deviation = {255, 255, 255}, .stretched = true};
constexpr PixelForm kNormalised = {.rgb = true,
                                   .mean = {123.675F, 116.28F, 103.53F},
                                   .deviation = {58.395F, 57.12F, 57.375F},
                                   .stretched = true};

}  // namespace detr

const Tensor* output_named(const std::vector<Tensor>& outputs, std::string_view name) {
  const auto found = std::ranges::find(outputs, name, &Tensor::name);
  return found == outputs.end() ? nullptr : &*found;
}

const Family kDetr = {"DETR", detr::kPlain, true, detr::recognise, detr::decode};
const Family kRfDetr = {"RF-DETR", detr::kNormalised, true, detr::recognise_rf, detr::decode_rf};
const Family kDFine = {"D-FINE", detr::kPlain, true, detr::recognise_final, detr::decode_final};

}  // namespace vantage::detections_detail
