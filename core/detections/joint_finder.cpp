#include "core/detections/joint_finder.h"

#include <algorithm>
#include <filesystem>

#include "core/detections/detail/onnx_model.h"
#include "core/detections/formats/format.h"
#include "core/detections/person_detector.h"
#include "core/detections/skeletons.h"

namespace vantage {
namespace {

using namespace detections_detail;

// The part of the picture around a box that such models are trained on.
constexpr double kAroundBox = 1.25;
constexpr PixelForm kPixels = {
    .rgb = true, .mean = {123.675F, 116.28F, 103.53F}, .deviation = {58.395F, 57.12F, 57.375F}};

PictureCut cut_around(const PersonDetection& person, const InputSize& size) {
  return {person.left_px + (person.width_px - 1) / 2.0, person.top_px + (person.height_px - 1) / 2.0,
          std::min(size.width_px / (kAroundBox * person.width_px),
                   size.height_px / (kAroundBox * person.height_px))};
}

// Scores along the columns, then along the rows, with the same number of steps for each pixel.
bool is_simcc(const std::vector<Tensor>& outputs, const InputSize& size) {
  if (outputs.size() != 2) return false;
  const std::vector<int64_t>&x = outputs[0].shape, &y = outputs[1].shape;
  return x.size() == 3 && y.size() == 3 && x[0] == 1 && y[0] == 1 && x[1] == y[1] && x[1] > 0 &&
         x[2] >= size.width_px && x[2] * size.height_px == y[2] * size.width_px;
}

struct Peak {
  double at = 0;  // pixel of the input
  float score = 0;
};
Peak peak_of(const Tensor& scores, int64_t joint, int side_px) {
  const auto steps = static_cast<std::ptrdiff_t>(scores.shape[2]);
  const auto first = scores.values.begin() + joint * steps;
  const auto highest = std::max_element(first, first + steps);
  return {static_cast<double>(highest - first) * side_px / static_cast<double>(steps), *highest};
}

}  // namespace

Result<std::unique_ptr<JointFinder>> JointFinder::open(const ModelFile& model, const EngineOptions& engine) {
  VANTAGE_ASSIGN(const OnnxModel described, describe_onnx(model.bytes, model.path));
  const std::vector<int64_t>& input = described.inputs.front().dimensions;
  if (described.inputs.size() != 1 || input.size() != 4 || input[1] != 3 || input[2] <= 0 || input[3] <= 0)
    return fail(ErrorKind::bad_data,
                "a model of joints takes one picture of a stated size (1 x 3 x height x width)", model.path,
                "Give an RTMPose model, for example of 256 x 192; a detector belongs to detections.model.");
  auto finder = std::make_unique<JointFinder>();
  finder->model_ = std::filesystem::path(model.path).filename().string();
  finder->size_ = {static_cast<int>(input[3]), static_cast<int>(input[2])};
  VANTAGE_ASSIGN(finder->engine_, open_engine(model.bytes, model.path, engine));
  Tensor empty;
  empty.shape = {1, 3, input[2], input[3]};
  empty.values.resize(static_cast<size_t>(3 * input[2] * input[3]));
  VANTAGE_TRY(finder->joints_in(empty));
  return finder;
}

Result<std::vector<Keypoint>> JointFinder::joints_in(const Tensor& cut) {
  VANTAGE_ASSIGN(const std::vector<Tensor> outputs, engine_->run(cut));
  std::vector<double> numbers;
  for (int64_t joint = 0; is_simcc(outputs, size_) && joint < outputs[0].shape[1]; ++joint) {
    const Peak x = peak_of(outputs[0], joint, size_.width_px),
               y = peak_of(outputs[1], joint, size_.height_px);
    numbers.insert(numbers.end(), {x.at, y.at, std::min(x.score, y.score)});
  }
  std::optional<std::vector<Keypoint>> joints = joints_from_threes(numbers);
  if (!joints || !skeleton_of_size(joints->size()))
    return fail(ErrorKind::bad_data,
                "the outputs of the model of joints (" + shapes_of(outputs) + ") are not understood", model_,
                "Expected are simcc_x and simcc_y of 17, 26, 133 or 136 joints, as RTMPose has them.");
  return std::move(*joints);
}

Status JointFinder::find(const Picture& picture, float min_score, std::vector<PersonDetection>* people) {
  for (PersonDetection& person : *people) {
    if (person.score < min_score) continue;
    const PictureCut cut = cut_around(person, size_);
    VANTAGE_ASSIGN(const Tensor input, cut_out(picture, cut, size_, kPixels));
    VANTAGE_ASSIGN(person.keypoints, joints_in(input));
    for (Keypoint& joint : person.keypoints) {
      if (joint.score <= 0) joint = {};
      if (joint.score <= 0) continue;
      joint.x_px = static_cast<float>(cut.x_px + (joint.x_px - size_.width_px / 2.0) / cut.scale);
      joint.y_px = static_cast<float>(cut.y_px + (joint.y_px - size_.height_px / 2.0) / cut.scale);
    }
  }
  return {};
}

}  // namespace vantage
