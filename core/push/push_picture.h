// The picture that goes with an event: the whole view of the camera that sees its place best.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/geometry/camera.h"
#include "core/image/backend/memory_transfer.h"
#include "core/pipeline/frame_result.h"
#include "core/push/push_message.h"

namespace vantage {

struct PushPicture {
  std::string jpeg;
  PicturePlace place;
};

struct PushCamera {
  std::string name;
  std::optional<Camera> calibration;
};

// The nearest of the cameras that see the place at the height of a chest and have a picture; nothing: none
// does. Errors: of the device and of encoding.
Result<std::optional<PushPicture>> picture_of_event(const std::vector<PushCamera>& cameras,
                                                    const FrameResult& result, double x_m, double y_m,
                                                    MemoryTransfer& transfer);

}  // namespace vantage
