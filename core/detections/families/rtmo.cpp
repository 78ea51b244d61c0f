// RTMO (Lu et al. 2024): boxes with scores and, row by row, the joints of the same people with their own
// scores; mmdeploy's export names them "dets" and "keypoints". Suppression is not always part of the model.
#include "core/detections/families/family.h"
#include "core/detections/formats/format.h"

namespace vantage::detections_detail {
namespace rtmo {

constexpr int64_t kBox = 5, kJoint = 3;

bool recognise(const std::vector<Tensor>& outputs, const InputSize&) {
  if (outputs.size() != 2 || outputs[0].shape.size() != 3 || outputs[1].shape.size() != 4) return false;
  const std::vector<int64_t>&boxes = outputs[0].shape, &joints = outputs[1].shape;
  return boxes[0] == 1 && joints[0] == 1 && joints[1] == boxes[1] && boxes[2] == kBox && joints[2] > 0 &&
         joints[3] == kJoint;
}

bool counts(const std::vector<Tensor>& outputs, int64_t row, float min_score) {
  return outputs[0].values[row * kBox + 4] >= min_score;
}

std::vector<Detection> decode(const std::vector<Tensor>& outputs, const InputSize&, float min_score) {
  std::vector<Detection> found;
  for (int64_t row = 0; row < outputs[0].shape[1]; ++row) {
    if (!counts(outputs, row, min_score)) continue;
    const float* box = outputs[0].values.data() + row * kBox;
    found.push_back({box[0], box[1], box[2] - box[0], box[3] - box[1], box[4], 0});
  }
  return found;
}

std::vector<std::vector<Keypoint>> joints(const std::vector<Tensor>& outputs, float min_score) {
  std::vector<std::vector<Keypoint>> found;
  const int64_t numbers = outputs[1].shape[2] * kJoint;
  for (int64_t row = 0; row < outputs[0].shape[1]; ++row) {
    if (!counts(outputs, row, min_score)) continue;
    const float* first = outputs[1].values.data() + row * numbers;
    found.push_back(*joints_from_threes({first, first + numbers}));
  }
  return found;
}

}  // namespace rtmo

const Family kRtmo = {"RTMO", {}, false, rtmo::recognise, rtmo::decode, rtmo::joints};

}  // namespace vantage::detections_detail
