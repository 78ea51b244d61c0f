// The inference engines that run a model: OpenCV's dnn module, which is always there, or ONNX Runtime, where
// its shared library is found when the program runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/detections/detections.h"
#include "core/image/picture.h"

namespace vantage {

struct Tensor {
  std::vector<int64_t> shape;
  std::vector<float> values;  // rows of the last dimension lie together
};

enum class EngineChoice { automatic, onnx_runtime, opencv };

class InferenceEngine {
 public:
  virtual ~InferenceEngine() = default;
  virtual std::string name() const = 0;  // "OpenCV dnn"
  virtual std::string version() const = 0;
  // One input; the outputs in the model's order. One call at a time. bad_data where the model refuses it.
  virtual Result<std::vector<Tensor>> run(const Tensor& input) = 0;
};

struct EngineOptions {
  EngineChoice choice = EngineChoice::automatic;  // ONNX Runtime where it is there
  bool cuda = false;                              // ONNX Runtime's CUDA provider, where it has one
  int threads = 0;                                // 0: as many as there are
};

// `model`: the file's bytes. unsupported where the engine is not there, bad_data where it cannot read the
// model.
Result<std::unique_ptr<InferenceEngine>> open_engine(std::string_view model, const std::string& where,
                                                     const EngineOptions& options);

// For doctor: which library of ONNX Runtime was found, or where it was searched for.
struct OnnxRuntimeFound {
  std::string library, version;     // empty: not found
  std::vector<std::string> looked;  // in this order, with what was wrong
};
OnnxRuntimeFound find_onnx_runtime();
std::string opencv_version();

// A detector that the caller brings along, in place of a model file.

// People in the picture (host memory) of that camera at that frame of the base camera; `known` stays false
// where it did not look. Called by one thread at a time. What it finds is not stored: asked for a frame
// again, it is called again.
using PictureDetector =
    std::function<Result<CameraDetections>(size_t camera, const Picture& picture, int64_t frame)>;

// The engines behind open_engine(); private to core/detections.

Result<std::unique_ptr<InferenceEngine>> open_opencv_engine(std::string_view model, const std::string& where);
Result<std::unique_ptr<InferenceEngine>> open_onnx_runtime_engine(std::string_view model,
                                                                  const std::string& where,
                                                                  const EngineOptions& options);

}  // namespace vantage
