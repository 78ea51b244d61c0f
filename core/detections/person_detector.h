// People in pictures by a learned model: an ONNX file that the user names, run by one of the engines
// (engine.h), read by its family.
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
  std::string bytes;
};

// One call at a time.
class PersonDetector {
 public:
  // Boxes below this score are never given: what is stored is enough for every threshold above.
  static constexpr double kLowestScore = 0.05;

  // Opens the model and runs it once, on an empty input, to see what it gives. bad_data where it is no
  // detector that is understood, and what its outputs are; unsupported where the engine is not there.
  static Result<std::unique_ptr<PersonDetector>> open(const ModelFile& model,
                                                      const DetectionParameters& parameters,
                                                      const EngineOptions& engine);
  virtual ~PersonDetector() = default;
  // The best first, in pixels of the picture, which lies in host memory; to a hundredth of a pixel and a
  // ten-thousandth of the score, as files keep them.
  virtual Result<std::vector<PersonDetection>> detect(const Picture& picture) = 0;
  // Everything but the video.
  virtual const DetectorProvenance& provenance() const = 0;
};

}  // namespace vantage
