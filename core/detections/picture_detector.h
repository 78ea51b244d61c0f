// A detector that the caller brings along, in place of a model file.
#pragma once

#include <cstdint>
#include <functional>

#include "core/base/result.h"
#include "core/detections/detections.h"
#include "core/image/picture.h"

namespace vantage {

// People in the picture (host memory) of that camera at that frame of the base camera; `known` stays false
// where it did not look. Called by one thread at a time. What it finds is not stored: asked for a frame
// again, it is called again.
using PictureDetector =
    std::function<Result<CameraDetections>(size_t camera, const Picture& picture, int64_t frame)>;

}  // namespace vantage
