// The shape of one head by its outlines (head_shape.h says what for). Inside core/height_map only.
//
// Agreement of a shape: over the points of its outline the mean of |n . contrast| (edge_contrast.h), n the
// outline's normal; and of that the mean over the views that see the whole outline, at least two: one says
// nothing about depth. 0 to 1.
//
// A position whose foreground is known loses kBare times the share of it that lies on background, mean of
// the views, in a rectangle kCore times as large as the one around its outline: beside a head, or at a
// shoulder, some view looks past it. Above a head, too, some view sees background: a candidate loses kCovered
// times the minimum share of foreground that any view has kOver_m above it.
//
// Search: a grid of positions around the seed, kReach_m across the floor, kReachDown_m and kReachUp_m in
// height (a seed may be a shoulder), for two radii, the outline moved as a whole. What an outline of the
// seed's size agrees to is worked out once for every pixel around, so that a position costs a look-up in each
// view. The best kCandidates, apart by kApart_m, are turned and then improved number by number, with steps
// halved kHalvings times. Places cost up to kAway and kAside for lying kAway_m or more from the seed in
// height and across, and earn kHigher a metre: collars and shoulders are round too, but the head is above
// them; radii cost their square away from kMiddleRadius_m. The best is improved once more with weights 1 + n
// . up, up the upright direction in the picture: towards the feet hair, collar and shoulders hide where a
// head ends. Constants were chosen on rendered crowds (resources/docs/performance.md).
#pragma once

#include <span>

#include "core/height_map/foreground_share.h"
#include "core/height_map/head_ellipsoid.h"
#include "core/image/picture.h"

namespace vantage::height_map {

inline constexpr float kSeedRadius_m = 0.095f;
inline constexpr float kHigher = 0.3f;

struct EdgeView {
  PinholeCamera<float> camera;
  float eye_m[3];
  Image contrast;              // edge_contrast()
  ForegroundShare foreground;  // of the same picture
};

// Below 0: fewer than two views see it.
float outline_agreement(std::span<const EdgeView> views, const HeadEllipsoid& shape);

// The best shape near the seed; radius 0: none is seen by two views.
HeadEllipsoid search_outline(std::span<const EdgeView> views, const HeadEllipsoid& seed);

}  // namespace vantage::height_map
