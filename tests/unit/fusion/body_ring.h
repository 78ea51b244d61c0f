// A ring of cameras around a floor, and the detection that a camera has of a whole body.
#pragma once

#include <cstdint>
#include <vector>

#include "core/fusion/body_box.h"
#include "core/fusion/fusion.h"
#include "core/geometry/projection.h"
#include "core/people/mask_samples.h"
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

// The head of somebody, 0.24 m wide and high about its centre, 0.12 m below the top.
inline HeadBox head_of(const PinholeCamera<double>& camera, double x_m, double y_m, double height_m) {
  const auto center = project(camera, x_m, y_m, height_m - 0.12);
  const double* r = camera.rotation_cam_from_world + 6;
  const double depth_m =
      r[0] * x_m + r[1] * y_m + r[2] * (height_m - 0.12) + camera.translation_cam_from_world_m[2];
  const auto size = static_cast<float>(0.24 * camera.fx_px / depth_m);
  return {static_cast<float>(center.x) - size / 2, static_cast<float>(center.y) - size / 2, size, size};
}

// The mask of a camera before which bodies stand: an ellipse in each of their boxes.
inline MaskSamples mask_of(const PinholeCamera<double>& camera, const std::vector<BodyBox>& bodies) {
  const int width = camera.width_px, height = camera.height_px;
  std::vector<uint8_t> levels(static_cast<size_t>(width) * static_cast<size_t>(height));
  for (const BodyBox& body : bodies) {
    if (!body.seen) continue;
    const float x0 = (body.whole.left + body.whole.right) / 2, y0 = (body.whole.top + body.whole.bottom) / 2;
    const float a = (body.whole.right - body.whole.left) / 2, b = (body.whole.bottom - body.whole.top) / 2;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const float u = (static_cast<float>(x) - x0) / a, v = (static_cast<float>(y) - y0) / b;
        if (u * u + v * v <= 1)
          levels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)] = 255;
      }
  }
  return sample_mask({levels.data(), width, height, static_cast<size_t>(width)});
}

}  // namespace vantage::test
