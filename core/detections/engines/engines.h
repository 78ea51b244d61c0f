// The engines behind open_engine(); private to core/detections.
#pragma once

#include "core/detections/engine.h"

namespace vantage {

Result<std::unique_ptr<InferenceEngine>> open_opencv_engine(std::string_view model, const std::string& where);
Result<std::unique_ptr<InferenceEngine>> open_onnx_runtime_engine(std::string_view model,
                                                                  const std::string& where,
                                                                  const EngineOptions& options);

}  // namespace vantage
