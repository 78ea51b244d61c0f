// People as algorithms, stages and result files hand them to each other: one person in one frame, and one
// person's path over many.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/people/path_points.h"

namespace vantage {

// The colours of a person's clothes in one camera: mean Y', Cb, Cr in 8 bits; nothing where too little is
// seen.
struct BodyColor {
  int32_t camera = 0;
  std::optional<std::array<float, 3>> trunk, legs;
};

// A person in one frame, no matter which stage found them.
struct FloorPerson {
  int64_t id = 0;  // of the track; 0: none yet
  double x_m = 0, y_m = 0, height_m = 0;
  double confidence = 0;               // 0 to 1
  std::vector<BodyColor> colors = {};  // by camera; empty unless they were measured
  // Over the floor, from optical flow; nothing unless it was measured.
  std::optional<std::array<double, 2>> velocity_m_per_s = {};
};

// The confidence in a person who was found that long before or after: it halves with every second.
inline double carried_confidence(double found, double away_s) {
  return found * std::exp2(-away_s);
}

// A person over many frames.
struct PersonPath {
  int64_t id = 0;
  PathPoints points;  // frames ascend
};

}  // namespace vantage
