// How fast each person moves, from the flows of all cameras (core/pipeline/person_motion.h); empty where
// there is no flow.
#pragma once

#include <memory>
#include <vector>

#include "core/geometry/camera.h"
#include "core/pipeline/stage.h"

namespace vantage {

struct MotionStageOptions {
  std::vector<Camera> cameras;
  std::vector<double> frame_rates;  // by camera
};

std::unique_ptr<Stage> make_motion_stage(MotionStageOptions options);

}  // namespace vantage
