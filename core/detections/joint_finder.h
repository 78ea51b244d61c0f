// Finds the joints of people in their boxes by a second model: RTMPose and others whose outputs are SimCC,
// the scores of each joint along the columns and along the rows of the input (Jiang et al. 2023, arXiv
// 2303.07399).
#pragma once

#include <memory>
#include <vector>

#include "core/detections/engine.h"
#include "core/detections/families/family.h"

namespace vantage {

struct ModelFile;

// Not thread-safe.
class JointFinder {
 public:
  // bad_data where the model does not take one picture of a stated size, or has other outputs or a layout of
  // joints that is not known (skeletons.h), with what it has.
  static Result<std::unique_ptr<JointFinder>> open(const ModelFile& model, const EngineOptions& engine);
  // Sets the keypoints of people whose boxes have at least that score. The picture is in host memory.
  Status find(const Picture& picture, float min_score, std::vector<PersonDetection>* people);

 private:
  Result<std::vector<Keypoint>> joints_in(const Tensor& cut);

  std::string model_;
  std::unique_ptr<InferenceEngine> engine_;
  InputSize size_;
};

}  // namespace vantage
