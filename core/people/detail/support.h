// Evidence of all cameras about one body, and the constants of the search that depend on nothing else.
#pragma once

#include <algorithm>
#include <span>

#include "core/people/detail/body.h"

namespace vantage::people_detail {

// A covered pixel that is background counts against a body, but less: masks have holes, arms swing.
inline constexpr double kBare = 0.4;
// Minimum decided share of a body's outlines; below it the rest counts as background, for want of evidence.
inline constexpr double kMinDecided = 0.4;
// FloorVolume measures where a head is 0.012 m2 wide; its top is so much higher: that of an ellipsoid of 0.19
// x 0.15 x 0.22 m.
inline constexpr double kHeadRounding_m = 0.03;

// Means over the cameras that see the body. Undecided pixels do not count in fill and own, so that a body
// does not move where nothing is known; the thresholds of both fall with `decided`.
struct Support {
  int cameras = 0;
  double fill = 0;     // share of the outline that is foreground
  double own = 0;      // see people.h
  double decided = 1;  // share of the outline that is, at least kMinDecided
};

// One camera's own share of an outline that it sees.
inline double own_share(const CoverCounts& counts, const Outline& outline) {
  return (counts.own - kBare * counts.bare) / outline.inside;
}

// `count` is a member of MaskBits: count or count_alone.
template <typename Count>
Support support_of(const Body& body, std::span<const MaskBits> masks, const Count& count) {
  Support support;
  double decided = 0;
  for (size_t c = 0; c < masks.size(); ++c) {
    const Outline& outline = body.outlines[c];
    if (!outline.seen()) continue;
    const CoverCounts counts = (masks[c].*count)(outline, body.runs_of(outline));
    support.fill += static_cast<double>(counts.foreground) / outline.inside;
    support.own += own_share(counts, outline);
    decided += 1 - static_cast<double>(counts.undecided) / outline.inside;
    ++support.cameras;
  }
  if (support.cameras == 0) return support;
  support.decided = std::max(decided / support.cameras, kMinDecided);
  support.fill /= support.cameras, support.own /= support.cameras;
  return support;
}

// One camera alone does not show where on its view ray a person is.
inline int needed_cameras(std::span<const MaskBits> masks) {
  const auto pictures =
      std::count_if(masks.begin(), masks.end(), [](const MaskBits& mask) { return mask.has_picture(); });
  return static_cast<int>(std::clamp<int64_t>(pictures, 1, 2));
}

}  // namespace vantage::people_detail
