// Somebody who stands on the floor, as stages, result files and trackers hand each other people.
#pragma once

#include <cstdint>

namespace vantage {

struct FloorPerson {
  int64_t id = 0;  // of the track; 0: none yet
  double x_m = 0, y_m = 0, height_m = 0;
  double confidence = 0;  // 0 to 1
};

}  // namespace vantage
