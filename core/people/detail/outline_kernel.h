// The loops that draw a body's outline, in outline_kernel.cpp for every instruction set.
#pragma once

#include <array>

#include "core/people/detail/mask_kernel.h"

namespace vantage::people_detail {

// Half the width of a body over its height, seen from any side, for each twentieth of the height: between the
// front and the side view of a walking adult (R. Drillis, R. Contini, "Body segment parameters", 1966).
// Fractions of the height.
inline constexpr int kSlices = 20;
inline constexpr std::array<double, kSlices> kHalfWidth = {0.075, 0.075, 0.070, 0.070, 0.070, 0.075, 0.075,
                                                           0.075, 0.075, 0.095, 0.095, 0.095, 0.100, 0.100,
                                                           0.100, 0.105, 0.105, 0.045, 0.048, 0.048};

// Rows before `end` along a straight piece of the axis: where it is at top_row, and its change a row. Columns
// of samples; how many of them a body's height would be there; slices of kHalfWidth.
struct OutlineSegment {
  int end = 0;
  double top_row = 0;
  double column = 0, column_step = 0;
  double scale = 0, scale_step = 0;
  double slice = 0, slice_step = 0;
};

// draw_outline() writes up to so many runs too many.
inline constexpr int kDrawnAtOnce = 8;

namespace kernel {

// The runs of rows from `row` to the last segment's end, not yet cut to the picture's width; their area.
int draw_outline(const OutlineSegment* segments, int count, int row, Run* runs);
// Cuts the runs to the picture's width; what is left of their area.
int cut_runs(Run* runs, int rows, int width);

}  // namespace kernel
}  // namespace vantage::people_detail
