// People on the floor from what each camera's detector saw, and the calibration.
//
// Hypotheses are places of a floor grid x heights. Each predicts a box per camera: the hull of rings round
// its axis (body_box.h), cut off at the picture's border. With H the uncut box's height in pixels, a
// detection, cut off likewise, that belongs to a hypothesis is worth, in nats more than one that belongs to
// nobody,
//
//   L = 5 clamp((score - 0.2) / 0.4, 0, 1)
//       - 1/2 ((dx / 0.07 H)^2 + (dtop / 0.06 H)^2 + (log(width ratio) / 0.35)^2)
//       + log((1 - p) exp(-1/2 (dbottom / 0.08 H)^2) + p u)
//
// with p the probability that the feet are hidden, 0.15 to 0.9 as nearer people cover the lower half, and
// u = 0.35 where the detection ends above the predicted feet by at most 0.65 H, else 0. A camera that sees
// nothing where it should says
//
//   log(1 - detection_rate t),   t = clamp((visible - 0.25) / 0.45, 0, 1),
//
// visible being the share of the box inside the picture and behind no nearer person. Where masks are given,
// detectors are excused: of the points by which visible counts, m are in the mask of the scene's changes, and
//
//   log(1 - detection_rate t) (1 - clamp((m - 0.15) / 0.2, 0, 1))
//
// is what counts (a body fills 0.3 to 0.6 of the points of its box; of boxes before the empty scene one in
// seven thousand has 0.2), so that somebody whom a detector does not know, bent, small or half in the dark,
// is not outvoted where something stands. Masks excuse and do no more: they speak for nobody, as a chair that
// was moved fills them as well, and against nobody, as they are empty before whoever was learnt with the
// scene.
//
// Heads that somebody else looked for (core/heads) stand in where the detector has no box. With S the width
// of a predicted head, half of the cut box's, a head that belongs to a hypothesis is worth
//
//   L = 2 - 1/2 ((dx / 0.3 S)^2 + (dtop / 0.4 S)^2 + (log(height / S) / 0.3)^2)
//
// dtop from the predicted box's top. In each camera one box or one head belongs to a person. A head in the
// upper part of a used box says what the box says, and does not count. That no head is found says nothing.
//
// A person costs person_cost and is as tall as N(1.72 m, 0.2 m) says; two who stand closer than 0.6 m
// repel, closer than 0.3 m nobody stands. Where tracks are expected, hypotheses near them gain track_prior
// and the others lose it.
//
// The set of people that explains all cameras best is searched: the best hypothesis given those taken is
// tried, with every detection assigned to at most one person, optimally in each camera; it stays where all
// together explain more than before. Who explains nothing any more gives way, and what that leaves over is
// tried again. Place and height are the mean of the posterior over the hypotheses near each person, given
// the others.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/parameters.h"
#include "core/detections/detections.h"
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

// Somebody who is followed and expected here.
struct ExpectedPerson {
  double x_m = 0, y_m = 0;
};

// The evidence of one camera about one person.
struct CameraEvidence {
  int32_t camera = 0;
  int32_t detection = -1;  // among the camera's; -1: its detector sees nobody there
  double nats = 0;         // for the person, negative: against
  double visible = 0;      // share of the person's box in the picture and behind nobody, 0 to 1
  double in_mask = 0;      // share of that which is in the camera's mask, 0 to 1; 0 without a mask
  int32_t head = -1;       // among the camera's heads, in place of a detection; -1: none
};

inline bool speaks_for(const CameraEvidence& one) {
  return one.detection >= 0 || one.head >= 0;
}

struct FusedPerson {
  double x_m = 0, y_m = 0, height_m = 0;
  // Uncertainty of position and height: variances, the covariance's off-diagonal, and a standard deviation.
  double variance_x_m2 = 0, covariance_xy_m2 = 0, variance_y_m2 = 0, height_deviation_m = 0;
  double gain_nats = 0;   // by how much all cameras are explained better with than without the person
  double confidence = 0;  // probability that somebody stands there, 0 to 1
  // The cameras that looked and in whose picture the person would be.
  std::vector<CameraEvidence> evidence;
};

// How much of somebody who was found there before is in a camera's mask.
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
  // One per camera, of those whose detector looked; none: nobody looked for heads.
  std::span<const std::vector<HeadBox>> heads = {};
  // One per camera, empty of those that have none; none: no camera has.
  std::span<const MaskSamples> masks = {};
  // In place of masks, where those are no longer at hand: what is known holds within 0.45 m.
  std::span<const MaskAtPlace> mask_places = {};
  // Empty where nobody tracks people.
  std::optional<std::span<const ExpectedPerson>> expected = std::nullopt;
};

// Not thread-safe: it keeps its working memory from frame to frame, but nothing of what it found.
class PeopleFusion {
 public:
  static constexpr double kCell_m = 0.1;
  // Larger floors get larger cells: there are at most so many.
  static constexpr int64_t kMaxCells = 60'000;
  static constexpr std::array<double, 7> kHeights_m = {1.10, 1.25, 1.40, 1.55, 1.70, 1.85, 2.00};

  PeopleFusion(const FloorRectangle& floor, std::vector<PinholeCamera<double>> cameras);
  ~PeopleFusion();
  PeopleFusion(PeopleFusion&&) noexcept;
  void set_parameters(const FusionParameters& parameters);

  // People by x, then y. Boxes without a positive width and height are not looked at.
  std::vector<FusedPerson> find(const FusionInput& input);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vantage
