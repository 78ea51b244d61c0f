// A ring of cameras around a floor, and the detection that a camera has of a whole body.
#pragma once

#include <vector>

#include "core/fusion/body_box.h"
#include "core/fusion/fusion.h"
#include "tests/support/camera_ring.h"

namespace vantage::test {

inline constexpr FloorRectangle kRingFloor{-1.5, -1.5, 1.5, 1.5};

inline std::vector<PinholeCamera<double>> ring_of(int count, double radius_m = 4) {
  RingOptions options;
  options.cameras = count, options.width_px = 1280, options.height_px = 960;
  options.radius_m = radius_m, options.height_m = 2.5, options.look_at_height_m = 0.8;
  options.distorted = false;
  return models_of(camera_ring(options));
}

inline PersonDetection detection_of(const BodyBox& box, float score = 0.9F) {
  return {box.cut.left, box.cut.top, box.cut.right - box.cut.left, box.cut.bottom - box.cut.top, score, {}};
}

}  // namespace vantage::test
