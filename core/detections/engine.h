// Inference engines that run a model: OpenCV's dnn module, always available, or ONNX Runtime, if its shared
// library is found at run time.
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
  std::vector<float> values;  // row-major: the last dimension is contiguous
  std::string name = {};      // of an output, as the model has it; empty: not known
};

enum class EngineChoice { automatic, onnx_runtime, opencv };

class InferenceEngine {
 public:
  virtual ~InferenceEngine() = default;
  virtual std::string name() const = 0;  // "OpenCV dnn"
  virtual std::string version() const = 0;
  // The picture's planes; an input kSizeInput gets their width and height. Outputs in the model's order,
  // where their names are known. Not thread-safe. bad_data where the model refuses it.
  virtual Result<std::vector<Tensor>> run(const Tensor& input) = 0;
};

struct EngineOptions {
  EngineChoice choice = EngineChoice::automatic;  // ONNX Runtime if available
  bool cuda = false;                              // ONNX Runtime's CUDA provider, if it has one
  int threads = 0;                                // 0: all
};

// `model`: the file's bytes. unsupported where the engine is not available, bad_data where it cannot read the
// model.
Result<std::unique_ptr<InferenceEngine>> open_engine(std::string_view model, const std::string& where,
                                                     const EngineOptions& options);

// For doctor: the library of ONNX Runtime that was found, or the paths that were searched.
struct OnnxRuntimeFound {
  std::string library, version;     // empty: not found
  std::vector<std::string> looked;  // in order, each with the reason
};
OnnxRuntimeFound find_onnx_runtime();
std::string opencv_version();

// A caller's detector, used instead of a model file.

// Detects people in the picture (host memory) of that camera at that frame of the base camera; `known` is
// false where it did not examine the frame. Called by one thread at a time. Results are not stored: it may be
// called again for a frame.
using PictureDetector =
    std::function<Result<CameraDetections>(size_t camera, const Picture& picture, int64_t frame)>;

// The engines behind open_engine(); private to core/detections.

Result<std::unique_ptr<InferenceEngine>> open_opencv_engine(std::string_view model, const std::string& where);
Result<std::unique_ptr<InferenceEngine>> open_onnx_runtime_engine(std::string_view model,
                                                                  const std::string& where,
                                                                  const EngineOptions& options);

}  // namespace vantage
