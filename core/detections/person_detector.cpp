#include "core/detections/person_detector.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/text.h"
#include "core/detections/detail/onnx_model.h"
#include "core/detections/families/family.h"
#include "core/detections/joint_finder.h"

namespace vantage {
namespace {

using namespace detections_detail;

struct NamedFamily {
  DetectorFamily choice;
  const Family* family;
};
// Tried in this order.
const NamedFamily kFamilies[] = {{DetectorFamily::rtmdet, &kRtmDet},   {DetectorFamily::yolox, &kYoloX},
                                 {DetectorFamily::nanodet, &kNanoDet}, {DetectorFamily::rf_detr, &kRfDetr},
                                 {DetectorFamily::d_fine, &kDFine},    {DetectorFamily::detr, &kDetr},
                                 {DetectorFamily::rtmo, &kRtmo}};

// Rounds as files do, so that new detections equal those read back later.
float kept_in_files(double value, double steps) {
  return static_cast<float>(std::round(value * steps) / steps);
}

class ModelDetector final : public PersonDetector {
 public:
  Status open(const DetectorModels& models, const DetectionParameters& parameters,
              const EngineOptions& engine);
  Result<std::vector<PersonDetection>> detect(const Picture& picture) override;
  const DetectorProvenance& provenance() const override { return provenance_; }
  bool finds_joints() const override { return family_->joints || joints_; }

 private:
  InputSize size_for(int width_px, int height_px) const {
    return fixed_.width_px > 0 ? fixed_ : input_size(width_px, height_px, provenance_.long_side_px);
  }
  Status choose_family(DetectorFamily choice);

  std::unique_ptr<InferenceEngine> engine_;
  const Family* family_ = nullptr;
  std::unique_ptr<JointFinder> joints_;  // null: no model of joints
  InputSize fixed_;                      // 0: any
  DetectorProvenance provenance_;
};

Status ModelDetector::open(const DetectorModels& models, const DetectionParameters& parameters,
                           const EngineOptions& engine) {
  const ModelFile& model = models.people;
  VANTAGE_ASSIGN(const OnnxModel described, describe_onnx(model.bytes, model.path));
  const std::vector<int64_t>& input = described.picture().dimensions;
  if ((described.inputs.size() != 1 && !described.takes_size()) ||
      (!input.empty() && (input.size() != 4 || input[1] != 3)))
    return fail(ErrorKind::bad_data, "the model does not take one picture (1 x 3 x height x width)",
                model.path, "Export it with the picture as its only input, and orig_target_sizes at most.");
  if (input.size() == 4 && input[2] > 0 && input[3] > 0)
    fixed_ = {static_cast<int>(input[3]), static_cast<int>(input[2])};
  VANTAGE_ASSIGN(engine_, open_engine(model.bytes, model.path, engine));
  provenance_.model = std::filesystem::path(model.path).filename().string();
  provenance_.model_sha256 = model.sha256;
  provenance_.engine = engine_->name(), provenance_.engine_version = engine_->version();
  provenance_.min_score = kLowestScore, provenance_.overlap = parameters.overlap;
  provenance_.long_side_px =
      fixed_.width_px > 0 ? std::max(fixed_.width_px, fixed_.height_px) : parameters.long_side_px;
  VANTAGE_TRY(choose_family(parameters.family));
  provenance_.family = family_->name;
  if (models.joints.bytes.empty()) return {};
  if (family_->joints)
    return fail(ErrorKind::invalid_argument,
                std::string(family_->name) + " finds joints by itself, and a model of joints is named, too",
                provenance_.model, "Leave one out: detections.joints_model= names none.");
  VANTAGE_ASSIGN(joints_, JointFinder::open(models.joints, engine));
  provenance_.joints_model = std::filesystem::path(models.joints.path).filename().string();
  provenance_.joints_model_sha256 = models.joints.sha256;
  return {};
}

Status ModelDetector::choose_family(DetectorFamily choice) {
  const InputSize size = size_for(4, 3);
  Tensor empty;
  empty.shape = {1, 3, size.height_px, size.width_px};
  empty.values.resize(3 * static_cast<size_t>(size.width_px) * static_cast<size_t>(size.height_px));
  VANTAGE_ASSIGN(const std::vector<Tensor> outputs, engine_->run(empty));
  for (const NamedFamily& named : kFamilies)
    if ((choice == DetectorFamily::automatic || choice == named.choice) &&
        named.family->recognise(outputs, size)) {
      family_ = named.family;
      return {};
    }
  std::string known;
  for (const NamedFamily& named : kFamilies) append_item(&known, named.family->name);
  return fail(ErrorKind::bad_data,
              "the model's outputs (" + shapes_of(outputs) + ") match no known family of detectors" +
                  (choice == DetectorFamily::automatic ? "" : " by the chosen name"),
              provenance_.model, "Known are " + known + ": detections.family=auto tells them apart.");
}

Result<std::vector<PersonDetection>> ModelDetector::detect(const Picture& picture) {
  const InputSize size = size_for(picture.width(), picture.height());
  VANTAGE_ASSIGN(const ModelInput input, letterbox(picture, size, family_->pixels));
  VANTAGE_ASSIGN(const std::vector<Tensor> outputs, engine_->run(input.tensor));
  if (!family_->recognise(outputs, size))
    return fail(ErrorKind::bad_data, "the model's outputs changed to " + shapes_of(outputs),
                provenance_.model);
  constexpr auto kLowest = static_cast<float>(kLowestScore);
  std::vector<Detection> boxes = family_->decode(outputs, size, kLowest);
  std::vector<std::vector<Keypoint>> joints(boxes.size());
  if (family_->joints) joints = family_->joints(outputs, kLowest);
  for (Detection& box : boxes)
    if (!(box.w > 0) || !(box.h > 0)) box.w = box.h = 0;  // suppresses nothing
  NmsOptions options;
  options.rule.threshold = static_cast<float>(family_->suppressed ? 1.0 : provenance_.overlap);
  VANTAGE_ASSIGN(NmsResult kept, non_maximum_suppression_cpu(boxes, options));
  std::stable_sort(kept.kept.begin(), kept.kept.end(),
                   [&](int32_t a, int32_t b) { return boxes[a].score > boxes[b].score; });
  // The input's pixel edges are the picture's times the scale; (0, 0) is a pixel's centre.
  const auto x_px = [&](double x) { return x / input.scale_x - 0.5; };
  const auto y_px = [&](double y) { return y / input.scale_y - 0.5; };
  std::vector<PersonDetection> people;
  for (const int32_t index : kept.kept) {
    const Detection& box = boxes[index];
    if (box.w == 0) continue;
    PersonDetection& person = people.emplace_back();
    person.left_px = kept_in_files(x_px(box.x), 100), person.top_px = kept_in_files(y_px(box.y), 100);
    person.width_px = kept_in_files(box.w / input.scale_x, 100);
    person.height_px = kept_in_files(box.h / input.scale_y, 100);
    person.score = kept_in_files(box.score, 1e4);
    person.keypoints = std::move(joints[index]);
    for (Keypoint& joint : person.keypoints)
      joint.x_px = static_cast<float>(x_px(joint.x_px)), joint.y_px = static_cast<float>(y_px(joint.y_px));
  }
  if (joints_) VANTAGE_TRY(joints_->find(picture, kLowestScoreOfJoints, &people));
  for (PersonDetection& person : people)
    for (Keypoint& joint : person.keypoints)
      joint = {kept_in_files(joint.x_px, 100), kept_in_files(joint.y_px, 100),
               kept_in_files(joint.score, 1e4)};
  return people;
}

}  // namespace

Result<std::unique_ptr<PersonDetector>> PersonDetector::open(const DetectorModels& models,
                                                             const DetectionParameters& parameters,
                                                             const EngineOptions& engine) {
  auto detector = std::make_unique<ModelDetector>();
  VANTAGE_TRY(detector->open(models, parameters, engine));
  return std::unique_ptr<PersonDetector>(std::move(detector));
}

}  // namespace vantage
