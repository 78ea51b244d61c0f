// The colours of people, camera by camera (core/pipeline/person_appearance.h); empty unless
// appearance.enabled is on.
#pragma once

#include <memory>
#include <vector>

#include "core/backend/memory_transfer.h"
#include "core/geometry/camera.h"
#include "core/pipeline/stage.h"

namespace vantage {

struct AppearanceStageOptions {
  std::vector<Camera> cameras;
  std::unique_ptr<MemoryTransfer> transfer;  // brings pictures to the host
};

std::unique_ptr<Stage> make_appearance_stage(AppearanceStageOptions options);

}  // namespace vantage
