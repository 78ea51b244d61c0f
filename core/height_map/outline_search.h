// The shape of one head by its outlines (head_shape.h has the reason). Inside core/height_map only. Search
// and constants: resources/docs/algorithms/height-map.md.
//
// Agreement of a shape, 0 to 1: over the points of its outline the mean of |n . contrast| (head_shape.cpp),
// n the outline's normal; and of that the mean over the views that see the whole outline, at least two.
//
// A position whose foreground is known loses kBare times the share of it that lies on background in a
// rectangle kCore times as large as the one around its outline, mean of the views; a candidate loses kCovered
// times the minimum share of foreground that any view has kOver_m above it. Grid: kReach_m across the floor,
// kReachDown_m and kReachUp_m in height, two radii; the best kCandidates, apart by kApart_m, are turned and
// improved number by number, steps halved kHalvings times. Costs: kAway and kAside for lying kAway_m or more
// from the seed in height and across, the square of the distance from kMiddleRadius_m; gain: kHigher a metre.
#pragma once

#include <span>

#include "core/height_map/head_ellipsoid.h"
#include "core/height_map/heads.h"
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
