// Tracks and detections of a crowd, for the tests of greedy association.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/tracking/association.h"

namespace vantage::test {

struct Crowd {
  std::vector<ExpectedTrack> tracks;
  std::vector<FloorDetection> detections;
  AssociationProblem problem(double height_weight = 1.5) const { return {tracks, detections, height_weight}; }
};

struct CrowdOptions {
  int tracks = 0, detections = 0;
  double people_per_m2 = 1, step_m = 0.1;  // between a track and its detection
  double max_gate_m = 1;
  double quantum_m = 0;  // of all lengths; 0: none. A coarse one makes many equal distances
};

// Detections lie near the tracks as long as there are as many; the others anywhere.
inline Crowd make_crowd(const CrowdOptions& options, std::mt19937& random) {
  const double side_m = std::sqrt(std::max(1, options.tracks) / options.people_per_m2);
  const auto length = [&](double from, double to) {
    const double value = std::uniform_real_distribution<double>(from, to)(random);
    return options.quantum_m > 0 ? std::round(value / options.quantum_m) * options.quantum_m : value;
  };
  Crowd crowd;
  for (int i = 0; i < options.tracks; ++i)
    crowd.tracks.push_back({length(0, side_m), length(0, side_m), length(1.5, 1.9),
                            length(0, options.max_gate_m), static_cast<int32_t>(random() % 4 == 0)});
  const double step_m = options.step_m;
  for (int i = 0; i < options.detections; ++i) {
    if (i >= options.tracks) {
      crowd.detections.push_back({length(0, side_m), length(0, side_m), length(1.5, 1.9)});
      continue;
    }
    const ExpectedTrack& track = crowd.tracks[i];
    crowd.detections.push_back({track.x_m + length(-step_m, step_m), track.y_m + length(-step_m, step_m),
                                track.height_m + length(-step_m, step_m)});
  }
  std::shuffle(crowd.detections.begin(), crowd.detections.end(), random);
  return crowd;
}

}  // namespace vantage::test
