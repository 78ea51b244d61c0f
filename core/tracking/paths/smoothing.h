// Effect of smoothing paths by motion on errors of positions and on walks, for sightings equally far
// apart.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tracking/paths/path_tracker.h"

namespace vantage {

struct PathSmoothing {
  // Weights of the sightings from kSmoothingReach before to kSmoothingReach after in a smoothed position.
  std::vector<double> weights;
  // Autocovariance over 0, 1, ... sightings of what smoothing removes from walks that accelerate by
  // acceleration_m_per_s2, along one axis.
  std::vector<double> removed_m2;
};
inline constexpr int kSmoothingReach = 12, kSmoothingLags = 6;

// Walks turn unseen between sightings farther apart.
inline constexpr double kMaxUnturned_s = 0.5;
// Frames between sightings whose errors differ, where a path has one every `gap` frames: kIndependent_s, or
// the gap itself; 0: there is no gap, or it is longer than kMaxUnturned_s.
int64_t error_step(int64_t gap, double frame_rate);

PathSmoothing path_smoothing(double interval_s, const PathParameters& parameters);

}  // namespace vantage
