// Parameters of detections of people.
#pragma once

#include "core/base/parameters.h"
#include "core/detections/engine.h"

namespace vantage {

enum class DetectorFamily { automatic, rtmdet, yolox, nanodet, detr, rf_detr, d_fine, rtmo };

struct DetectionParameters {
  bool enabled = true;
  double min_score = 0.4;
  double shown_score = 0.5;
  DetectorFamily family = DetectorFamily::automatic;
  EngineChoice engine = EngineChoice::automatic;
  int long_side_px = 416;
  int every = 1;
  double overlap = 0.6;
};
template <>
const ParameterTable& parameter_table<DetectionParameters>();

}  // namespace vantage
