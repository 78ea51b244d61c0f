// The kernels of the probabilistic occupancy map; equations: core/people/occupancy/marginals.h. For every
// camera a picture of `width` x `height` pixels, as large as the largest of their small masks; a smaller one
// fills the upper left, and what lies outside it is never asked.
//
//   shrink_masks    small masks from the pictures' masks, background pixels counted
//   start_cells     every cell at the prior, drawn
//   write_empty     1 - A and (2 B - 1)(1 - A) from the summed logarithms; clears what they were summed from
//   move_cells      an iteration's step of every cell, and the cell drawn for the next one
//
// Drawing a cell adds log(1 - q), rounded to whole kLogUnit, to the four corners of its rectangle in every
// camera. Whole numbers below 2^53 in doubles: atomic additions give the same sum in any order.
//
// Every iteration leaves how far the farthest probability went; one that follows a step of at most kStill
// does nothing, so the host may enqueue several before it looks.
#pragma once

#include <cstdint>

#include "core/people/occupancy/marginals.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu::occupancy {

struct SourceMask {
  const uint8_t* data;  // null: no picture
  int64_t stride_bytes;
  int step, width, height;  // of the small mask
};

struct Scene {
  int cameras, width, height;  // of the pictures
  int cells;
  const SourceMask* masks;
  const BodyRectangle* rectangles;  // camera by camera, cell by cell
  uint8_t* small;                   // cameras x height x width
  int32_t* background;              // pixels, one a camera
  double* steps;                    // cameras x height x width: what the logarithms are sums of
  const double* logs;               // the same, summed
  double* empty;                    // (2 x cameras) x height x width: 1 - A of all, then (2 B - 1)(1 - A)
  const double* sums;               // the same, summed: (2 x cameras) x (height + 1) x (width + 1)
  double* q;                        // cells
  unsigned long long* moved;        // one an iteration: bits of the largest step, a double
};

struct Rule {
  double prior, sigma, step;
};

// On the submission thread; `work` knows of the buffers.
Status enqueue_shrink_masks(Work& work, const Scene& scene);
Status enqueue_start_cells(Work& work, const Scene& scene, const Rule& rule);
Status enqueue_write_empty(Work& work, const Scene& scene, int iteration);
Status enqueue_move_cells(Work& work, const Scene& scene, const Rule& rule, int iteration);

}  // namespace vantage::gpu::occupancy
