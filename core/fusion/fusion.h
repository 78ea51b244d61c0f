// People on the floor from what each camera's detector saw, and the calibration. Equations and constants:
// resources/docs/algorithms/fusion.md.
//
// Hypotheses are places of a floor grid x heights. Each predicts a box per camera: the hull of rings round
// its axis (body_box.h), cut off at the picture's border. Evidence is in nats: detections that belong to a
// hypothesis, cameras that see nothing where they should (excused where the masks of the scene's changes show
// little), and heads (core/heads) where the detector has no box. In each camera one box or one head belongs
// to a person. A person costs person_cost and is N(1.72 m, 0.2 m) tall; two who stand closer than 0.6 m
// repel, closer than 0.3 m no one stands. Where tracks are expected, hypotheses near them gain track_prior
// and the others lose it.
//
// The set of people that explains all cameras best is searched greedily; people who explain nothing any more
// give way. Place and height are the mean of the posterior over the hypotheses near each person, given the
// others.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/parameters.h"
#include "core/detections/detections.h"
#include "core/geometry/ignored_region.h"
#include "core/geometry/projection.h"
#include "core/people/mask_samples.h"

namespace vantage {

struct FusionParameters {
  double min_score = 0.4;
  double person_cost = 3;
  double detection_rate = 0.9;
  double track_prior = 1.5;
};
template <>
const ParameterTable& parameter_table<FusionParameters>();

// The part of the floor where people may stand: a rectangle.
struct FloorRectangle {
  double min_x_m = 0, min_y_m = 0, max_x_m = 0, max_y_m = 0;
};

// A person who is tracked and expected here.
struct ExpectedPerson {
  double x_m = 0, y_m = 0;
};

// The evidence of one camera about one person.
struct CameraEvidence {
  int32_t camera = 0;
  int32_t detection = -1;  // among the camera's; -1: its detector sees no one there
  double nats = 0;         // for the person, negative: against
  // Share of the person's box in the picture, in no ignored region and behind no one, 0 to 1.
  double visible = 0;
  double in_mask = 0;  // share of that which is in the camera's mask, 0 to 1; 0 without a mask
  int32_t head = -1;   // among the camera's heads, in place of a detection; -1: none
};

inline bool speaks_for(const CameraEvidence& one) {
  return one.detection >= 0 || one.head >= 0;
}

struct FusedPerson {
  double x_m = 0, y_m = 0, height_m = 0;
  // Uncertainty of position and height: variances, the covariance's off-diagonal, and a standard deviation.
  double variance_x_m2 = 0, covariance_xy_m2 = 0, variance_y_m2 = 0, height_deviation_m = 0;
  double gain_nats = 0;   // by how much all cameras are explained better with than without the person
  double confidence = 0;  // probability that a person stands there, 0 to 1
  // The cameras that looked and in whose picture the person would be.
  std::vector<CameraEvidence> evidence;
};

// How much of a person who was found there before is in a camera's mask.
struct MaskAtPlace {
  double x_m = 0, y_m = 0;
  int32_t camera = 0;
  double in_mask = 0;
};

// A head's box in a picture, about as wide as high.
struct HeadBox {
  float left_px = 0, top_px = 0, width_px = 0, height_px = 0;
};

struct FusionInput {
  std::span<const CameraDetections> cameras;  // one per camera
  // One per camera, of those whose detector looked; none: heads were not searched for.
  std::span<const std::vector<HeadBox>> heads = {};
  // One per camera, empty of those that have none; none: no camera has.
  std::span<const MaskSamples> masks = {};
  // In place of masks, where those are no longer at hand: what is known holds within 0.45 m.
  std::span<const MaskAtPlace> mask_places = {};
  // Empty where people are not tracked.
  std::optional<std::span<const ExpectedPerson>> expected = std::nullopt;
};

// Not thread-safe: it keeps its working memory from frame to frame, but nothing of what it found.
class PeopleFusion {
 public:
  static constexpr double kCell_m = 0.1;
  // Larger floors get larger cells: there are at most so many.
  static constexpr int64_t kMaxCells = 60'000;
  static constexpr std::array<double, 7> kHeights_m = {1.10, 1.25, 1.40, 1.55, 1.70, 1.85, 2.00};

  // `ignored`: parts of the pictures that do not count, one per camera or none; detections there are dropped
  // before (drop_ignored(), body_box.h).
  PeopleFusion(const FloorRectangle& floor, std::vector<PinholeCamera<double>> cameras,
               std::span<const IgnoredPixels> ignored = {});
  ~PeopleFusion();
  PeopleFusion(PeopleFusion&&) noexcept;
  void set_parameters(const FusionParameters& parameters);

  // People by x, then y. Boxes without a positive width and height are not examined.
  std::vector<FusedPerson> find(const FusionInput& input);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vantage
