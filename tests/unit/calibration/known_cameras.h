// Cameras to be written in the formats of other programs, and compared by where points of the room fall.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "core/geometry/camera.h"

namespace vantage::test {

using RowMajor3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// Three cameras round a room, looking at its middle; no two values of one are alike.
inline std::vector<Camera> known_cameras() {
  std::vector<Camera> cameras;
  for (int i = 0; i < 3; ++i) {
    const double angle = 0.4 + 1.9 * i;
    const Eigen::Vector3d center(3 * std::cos(angle), 2.5 * std::sin(angle), 2.2 + 0.1 * i);
    const Eigen::Vector3d forward = (Eigen::Vector3d(0.1, -0.2, 1) - center).normalized();
    const Eigen::Vector3d right = forward.cross(Eigen::Vector3d(0.1, 0.05, 1)).normalized();
    RowMajor3d rotation;
    rotation << right.transpose(), forward.cross(right).transpose(), forward.transpose();
    const Eigen::Vector3d translation = -rotation * center;
    PinholeCamera<double> model;
    model.width_px = 640 + 32 * i, model.height_px = 480;
    model.fx_px = 500 + i, model.fy_px = 507.25, model.cx_px = 318.5 + 7 * i, model.cy_px = 243.75;
    model.k1 = -0.11, model.k2 = 0.03, model.p1 = 0.0012, model.p2 = -0.0023, model.k3 = 0.004;
    std::copy(rotation.data(), rotation.data() + 9, model.rotation_cam_from_world);
    std::copy(translation.data(), translation.data() + 3, model.translation_cam_from_world_m);
    cameras.push_back(Camera::make("cam_" + std::to_string(i + 1), model).value());
  }
  return cameras;
}

inline std::string row(std::span<const double> values, const char* between = ", ") {
  std::string text;
  for (const double value : values) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.17g", value);
    text += (text.empty() ? "" : between) + std::string(buffer);
  }
  return text;
}

inline std::string rows(const RowMajor3d& m) {
  std::string text;
  for (int i = 0; i < 3; ++i) text += (i ? ", [" : "[") + row(std::span(m.data() + 3 * i, 3)) + "]";
  return "[" + text + "]";
}

// Points of the room fall on the same pixels, to a billionth.
inline void expect_same_pixels(const std::vector<Camera>& read, const std::vector<Camera>& known) {
  ASSERT_EQ(read.size(), known.size());
  for (size_t i = 0; i < known.size(); ++i) {
    SCOPED_TRACE(known[i].name());
    EXPECT_EQ(read[i].width_px(), known[i].width_px());
    EXPECT_EQ(read[i].height_px(), known[i].height_px());
    int seen = 0;
    for (double x = -1; x <= 1; x += 0.5)
      for (double y = -1; y <= 1; y += 0.5)
        for (double z = 0; z <= 2; z += 0.5) {
          const auto expected = known[i].project({x, y, z}), pixel = read[i].project({x, y, z});
          ASSERT_EQ(static_cast<bool>(expected), static_cast<bool>(pixel));
          if (!expected) continue;
          EXPECT_NEAR(pixel->x(), expected->x(), 1e-9);
          EXPECT_NEAR(pixel->y(), expected->y(), 1e-9);
          ++seen;
        }
    EXPECT_GT(seen, 20);
  }
}

}  // namespace vantage::test
