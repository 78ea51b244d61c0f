// Somebody who stands on the floor, and somebody's way over it, as stages, result files, trackers and what
// counts people hand each other.
#pragma once

#include <cstdint>
#include <vector>

namespace vantage {

struct FloorPerson {
  int64_t id = 0;  // of the track; 0: none yet
  double x_m = 0, y_m = 0, height_m = 0;
  double confidence = 0;  // 0 to 1
};

struct PathPoint {
  int64_t frame = 0;
  double x_m = 0, y_m = 0, height_m = 0;
  double confidence = 0;
  bool seen = false;    // false: between two frames where the person was found, on the straight line
  int32_t person = -1;  // place among the frame's people; -1: a rejected peak, or not seen
};
struct PersonPath {
  int64_t id = 0;
  std::vector<PathPoint> points;  // frames ascend
};

}  // namespace vantage
