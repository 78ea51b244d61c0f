// The chain's data from optical flow. Plain data: files that may hold no Eigen include this header.
#pragma once

#include <array>

#include "core/optical_flow/optical_flow.h"

namespace vantage {

struct CameraFlow {
  FlowField field;            // in host memory; empty: no two pictures in a row
  int64_t camera_frames = 1;  // from the earlier picture to the later one, in this camera's frames
};

// How a person moves (core/pipeline/detail/person_motion.h).
struct PersonMotion {
  std::array<double, 3> velocity_m_per_s = {0, 0, 0};
  double scatter_m_per_s = 0;  // of the points about it, root mean square of one component, weighted
  int cameras = 0;             // that contributed
  int points = 0;
};

}  // namespace vantage
