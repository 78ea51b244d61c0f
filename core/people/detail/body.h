// An upright body's outline in the cameras' reduced masks.
#pragma once

#include <span>
#include <vector>

#include "core/geometry/projection.h"
#include "core/people/detail/mask_bits.h"

namespace vantage::people_detail {

struct Body {
  double x_m = 0, y_m = 0, height_m = 0;
  std::vector<Outline> outlines;  // per camera; no rows: not in its picture
  std::vector<Run> runs;          // of all outlines, and more that are kept for their memory
  const Run* runs_of(const Outline& outline) const { return runs.data() + outline.first_run; }
};

// Draws the body at its position and height. The axis is projected at five heights and taken as straight
// between them; the outline is its width, row by row. So a camera has to stand about upright: in one that
// looks down so steeply that the body is wider than tall there is no outline.
void draw(Body& body, std::span<const PinholeCamera<double>> cameras, std::span<const MaskBits> masks);

}  // namespace vantage::people_detail
