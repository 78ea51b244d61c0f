// Detects people by a learned model: the user's ONNX file, run by one of the engines (engine.h), decoded by
// its family.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/detections/detection_file.h"
#include "core/detections/detection_parameters.h"
#include "core/detections/engine.h"
#include "core/image/picture.h"

namespace vantage {

struct ModelFile {
  std::string path, sha256;  // 64 hexadecimal digits
  std::string bytes;         // empty: there is none
};
struct DetectorModels {
  ModelFile people, joints;  // joints: joint_finder.h
};

// Not thread-safe.
class PersonDetector {
 public:
  // Boxes below this score are never returned: stored detections suffice for every higher threshold.
  static constexpr double kLowestScore = 0.05;
  // Boxes below this score get no joints from a model of joints, which runs once for each box.
  static constexpr double kLowestScoreOfJoints = 0.3;

  // Opens the models and runs each once, on an empty input, to recognise its outputs. bad_data where one is
  // not known, with its outputs; unsupported where the engine is not available.
  static Result<std::unique_ptr<PersonDetector>> open(const DetectorModels& models,
                                                      const DetectionParameters& parameters,
                                                      const EngineOptions& engine);
  virtual ~PersonDetector() = default;
  // Best first, in pixels of the picture, which is in host memory; rounded to a hundredth of a pixel and a
  // ten-thousandth of the score, as in files.
  virtual Result<std::vector<PersonDetection>> detect(const Picture& picture) = 0;
  // Everything but the video.
  virtual const DetectorProvenance& provenance() const = 0;
  virtual bool finds_joints() const = 0;  // by itself, or by the second model
};

}  // namespace vantage
