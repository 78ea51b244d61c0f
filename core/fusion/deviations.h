// Standard deviations of positions and heights of fused people, learnt from the recording itself: nothing is
// assumed of how far its detectors err. Equations: resources/docs/algorithms/fusion.md.
//
// Errors of boxes show in how cameras disagree about a person whom several see; how long they last in how
// long the disagreement does. Errors that all cameras have in common (a stride) show in how positions jump
// about the smoothed path, as far as walking does not explain it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/detections/detections.h"
#include "core/fusion/fusion.h"
#include "core/geometry/projection.h"

namespace vantage {

struct PersonDeviation {
  double x_m = 0, y_m = 0, correlation = 0;
  double height_m = 0;
};

// How errors and walks pass through the smoothing of paths, at sightings `step` frames apart
// (core/tracking/paths/smoothing.h).
struct SmoothedErrors {
  int64_t step = 1;
  std::span<const double> weights, removed_m2;
};

// Deviations learnt of a sighting: of its position on the smoothed path, and of that in the frame alone.
struct SightingDeviation {
  int64_t path = 0, frame = 0;
  PersonDeviation on_path, in_frame;
};

class DeviationLearner {
 public:
  // A person of a frame, seen by `seen` (one per camera), and where the path passes. A path's sightings come
  // one after the other, frames ascend. Ignored where fewer than two cameras have a box.
  void add(int64_t path, int64_t frame, const FusedPerson& person, std::array<double, 2> on_path_m,
           std::span<const CameraDetections> seen, std::span<const PinholeCamera<double>> cameras);
  // Frames from one sighting to the next, as a rule; 0: there are none.
  int64_t usual_gap() const;
  // Empty where too few sightings show the errors.
  std::vector<SightingDeviation> learn(const SmoothedErrors& smoothing) const;

 private:
  static constexpr int kKinds = 3;  // of errors: a box's middle, top and bottom
  // Error of one camera's box, in shares of the person's height there; nothing where the picture cuts it.
  struct BoxError {
    int32_t camera = 0;
    std::array<std::optional<float>, kKinds> off = {};
  };
  struct Sighting {
    int64_t path = 0, frame = 0;
    std::array<double, 2> smoothed_by_m = {};
    // Variances of x, y, their covariance, and the variance of the height, for errors of variance 1 by kind.
    std::array<std::array<float, 4>, kKinds> shares = {};
    std::vector<BoxError> errors;
  };
  template <typename Take>
  void for_pairs(int64_t apart, const Take& take) const;
  std::optional<std::array<double, kKinds>> variances() const;
  std::vector<double> lasting(int64_t step) const;

  std::vector<Sighting> sightings_;
  // Sums over the sightings: squared errors by kind, and how much of them errors of each kind explain.
  std::array<double, kKinds> squares_ = {};
  std::array<std::array<double, kKinds>, kKinds> explained_ = {};
  std::array<double, kKinds> count_ = {};
};

}  // namespace vantage
