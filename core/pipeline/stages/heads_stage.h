// Heads in every camera's picture, where heads.enabled is on; an empty artifact where it is off. With
// calibrations only windows of fitting sizes are searched, views help each other (head_views.h), the heads of
// the views are joined into points of the scene, and each point goes to the person who stands below it.
#pragma once

#include <memory>
#include <vector>

#include "core/geometry/camera.h"
#include "core/heads/heads.h"
#include "core/pipeline/stage.h"

namespace vantage {

struct HeadsStageOptions {
  std::shared_ptr<const HeadModel> model;
  std::vector<std::unique_ptr<HeadDetector>> detectors;  // of the model, one for each camera
  std::vector<Camera> cameras;                           // empty without a calibration
};

std::unique_ptr<Stage> make_heads_stage(HeadsStageOptions options);

}  // namespace vantage
